"""The series of requests of RuntimeInjectionTest, by http.client or by the streams of asyncio."""
import asyncio
import http.client
import ssl
import sys

kind = sys.argv[1]
port, tls_port, kept, secret = map(int, sys.argv[2:6])
body = bytes(ord("a") + i % 26 for i in range(1 << 20))
long_headers = {"X-Long-%02d" % i: "v" * 300 for i in range(40)}
traced = {"TraceParent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
looks_like_a_request = b"GET /frame HTTP/1.1\r\nHost: localhost\r\n\r\n"
frames = bytes([0x81, 0x80 | len(looks_like_a_request), 0, 0, 0, 0]) + looks_like_a_request
closing = bytes([0x88, 0x80, 0, 0, 0, 0])
context = ssl.create_default_context()
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE

plain = [("GET", "/get/%d" % i, {"X-Number": str(i)}, None) for i in range(kept)] + [
    ("POST", "/post", {}, body),
    ("GET", "/long", long_headers, None),
    ("GET", "/traced", traced, None),
    ("GET", "/last", {}, None),
]
hidden = [("GET", "/secret/%d" % i, {}, None) for i in range(secret)]


def with_http_client():
    for connection, requests in (
        (http.client.HTTPConnection("127.0.0.1", port), plain),
        (http.client.HTTPSConnection("127.0.0.1", tls_port, context=context), hidden),
    ):
        for method, path, headers, data in requests:
            connection.request(method, path, data, headers)
            assert connection.getresponse().read() == b"ok"
        connection.close()


async def exchange(reader, writer, method, path, headers, data):
    head = "%s %s HTTP/1.1\r\nHost: localhost\r\n" % (method, path)
    head += "".join("%s: %s\r\n" % header for header in headers.items())
    if data:
        head += "Content-Length: %d\r\n" % len(data)
    writer.write(head.encode() + b"\r\n")
    if data:
        writer.write(data)
    await writer.drain()
    answer = await reader.readuntil(b"\r\n\r\n")
    if b" 101 " not in answer:
        assert await reader.readexactly(2) == b"ok"


async def with_streams():
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for request in plain:
        await exchange(reader, writer, *request)
    await exchange(reader, writer, "GET", "/socket", {
        "Connection": "Upgrade", "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}, None)
    writer.write(frames)
    writer.write(closing)
    await reader.read()
    writer.close()
    reader, writer = await asyncio.open_connection("127.0.0.1", tls_port, ssl=context)
    for request in hidden:
        await exchange(reader, writer, *request)
    writer.close()


if kind == "http.client":
    with_http_client()
else:
    asyncio.run(with_streams())
