"""A server with a thread for each connection, which may ask another server before it answers.

Arguments: the port of the other one, 0 for none; then a certificate and its key, if it is to speak TLS.
"""
import http.client
import http.server
import socketserver
import ssl
import sys

backend = int(sys.argv[1])


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


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*sys.argv[2:4])
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print("port", server.server_port, flush=True)
server.serve_forever()
