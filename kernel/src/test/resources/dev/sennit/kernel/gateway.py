"""A server with a thread for each connection, which asks another server before it answers."""
import http.client
import http.server
import socketserver
import sys

backend = int(sys.argv[1])


class Gateway(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        connection = http.client.HTTPConnection("127.0.0.1", backend)
        connection.request("GET", self.path)
        body = connection.getresponse().read()
        connection.close()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128


server = Server(("127.0.0.1", 0), Gateway)
print("port", server.server_port, flush=True)
server.serve_forever()
