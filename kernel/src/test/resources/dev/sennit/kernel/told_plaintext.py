# A program with a TLS of its own: what goes over its sockets is records of no meaning, and what they mean it tells.
import errno
import os
import socket
import struct

NOBODYS = 0x5E4E4954
READS, WRITES, SHAKES_HANDS = 1, 2, 3


def tell(session, doing, fd=-1, mark=bytes(16), plaintext=b""):
    try:
        os.write(NOBODYS, struct.pack("=Q16siI", session, mark, fd, doing) + plaintext)
    except OSError as e:
        assert e.errno == errno.EBADF, e


def record(kind):
    data = os.urandom(100)
    return bytes([kind, 3, 3]) + len(data).to_bytes(2, "big") + data


def mark(of):
    return of[11:27]


def exchange(client, server, asked, told_by):
    tell(asked, WRITES, plaintext=b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n" % told_by, **descriptor(client, told_by))
    client.sendall(record(23))
    server.recv(4096)
    tell(asked + 1, READS, plaintext=b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n" % told_by, **descriptor(server, told_by))
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    tell(asked + 1, WRITES, plaintext=answer, **descriptor(server, told_by))


def descriptor(of, told_by):
    return {"fd": of.fileno()} if told_by == b"descriptor" else {}


tell(0, 0)
listening = socket.create_server(("127.0.0.1", 0))
for number, told_by in enumerate([b"descriptor", b"mark", b"nothing"]):
    session = 10 * (number + 1)
    client = socket.create_connection(listening.getsockname())
    server, _ = listening.accept()
    hello = record(22)
    if told_by == b"mark":
        tell(session, SHAKES_HANDS, mark=mark(hello))
    client.sendall(hello)
    received = server.recv(4096)
    if told_by == b"mark":
        tell(session + 1, SHAKES_HANDS, mark=mark(received))
    exchange(client, server, session, told_by)
# More than there may be, and less than there must be, is nothing.
tell(1, WRITES, fd=client.fileno(), plaintext=b"GET /long HTTP/1.1\r\n\r\n" + bytes(16384))
try:
    os.write(NOBODYS, b"GET /short HTTP/1.1\r\n\r\n")
except OSError as e:
    assert e.errno == errno.EBADF, e
print("port", listening.getsockname()[1], flush=True)
