"""Logs five lines for each request while a thread of its own serves it."""
import http.server
import logging
import time

logging.basicConfig(level=logging.INFO)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        for line in range(1, 6):
            logging.info("request %s line %d", self.path[1:], line)
            time.sleep(0.002)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print("port", server.server_port, flush=True)
server.serve_forever()
