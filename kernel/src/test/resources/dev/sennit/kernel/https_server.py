"""A TLS server with a thread for each connection. Given a port, it asks a server there before it answers."""
import http.client
import http.server
import socketserver
import ssl
import sys

certificate, key = sys.argv[1:3]
backend = int(sys.argv[3]) if len(sys.argv) > 3 else 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        if backend:
            connection = http.client.HTTPConnection("127.0.0.1", backend)
            connection.request("GET", self.path)
            connection.getresponse().read()
            connection.close()
        body = b"answer to " + self.path.encode() + b"."
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server = Server(("127.0.0.1", 0), Handler)
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print("port", server.server_port, flush=True)
server.serve_forever()
