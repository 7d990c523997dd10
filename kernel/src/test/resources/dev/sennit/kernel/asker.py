"""A server that asks another by lines of text, by TCP or by a Unix socket, before it answers."""
import http.server
import os
import socket
import socketserver
import sys
import threading
import time

unix = sys.argv[1] == "unix"
alone = sys.argv[2] == "alone"
listening = socket.socket(socket.AF_UNIX if unix else socket.AF_INET)
listening.bind("" if unix else ("127.0.0.1", 0))
listening.listen(128)


def answer(connection):
    with connection, connection.makefile("rw") as lines:
        for line in lines:
            lines.write("answer\n")
            lines.flush()


def answer_all():
    while True:
        threading.Thread(target=answer, args=[listening.accept()[0]], daemon=True).start()


# Who answers lines is a process of its own: one that serves anything but HTTP has other work.
if os.fork() == 0:
    threading.Thread(target=answer_all, daemon=True).start()
    sys.stdin.read()
    os._exit(0)
address = listening.getsockname()
listening.close()


def ask(text):
    with socket.socket(socket.AF_UNIX if unix else socket.AF_INET) as connection:
        connection.connect(address)
        with connection.makefile("rw") as lines:
            for i in range(2):
                lines.write("ask %s %d\n" % (text, i))
                lines.flush()
                lines.readline()


class Asker(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        worker = threading.Thread(target=ask, args=[self.path])
        worker.start()
        worker.join()
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


if alone:

    def work():
        while True:
            ask("alone")
            time.sleep(0.01)

    threading.Thread(target=work, daemon=True).start()

server = Server(("127.0.0.1", 0), Asker)
print("port", server.server_port, flush=True)
server.serve_forever()
