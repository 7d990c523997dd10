"""A TLS client with one connection that asks for the path in each line of its input."""
import http.client
import ssl
import sys

context = ssl.create_default_context()
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
connection = http.client.HTTPSConnection("127.0.0.1", int(sys.argv[1]), context=context)
for line in sys.stdin:
    connection.request("GET", line.strip())
    print(connection.getresponse().read().decode(), flush=True)
