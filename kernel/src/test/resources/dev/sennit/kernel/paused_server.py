"""Reads a request; at each line of input answers it, or asks another server, always by the same thread."""
import socket
import sys

listening = socket.socket()
listening.bind(("127.0.0.1", 0))
listening.listen()
print("port", listening.getsockname()[1], flush=True)
connection = listening.accept()[0]
connection.recv(65536)
print("read", flush=True)
for line in sys.stdin:
    word, *rest = line.split()
    if word == "answer":
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    elif word == "read":
        connection.recv(65536)
    else:
        with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as asking:
            asking.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % rest[0].encode())
            while asking.recv(65536):
                pass
    print("done", flush=True)
