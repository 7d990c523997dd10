# The prices of the shop. They know nothing of traces: whatever is seen of them is seen from outside.
import logging
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(levelname)s %(threadName)s %(message)s")


class Prices(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urlsplit(self.path)
        number = parse_qs(address.query).get("id", ["0"])[0]
        if address.path == "/fail":
            logging.error("request %s: no such article", number)
            self.answer(500, b"no such article")
        else:
            logging.info("request %s: priced", number)
            self.answer(200, b"42 EUR")

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Prices)
server.daemon_threads = True
print("listening on", server.server_port, flush=True)
server.serve_forever()
