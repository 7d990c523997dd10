"""An event loop with TLS: a server, or a client that sends so many requests over so many connections at a time."""
import asyncio
import ssl
import sys


async def answer(reader, writer):
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            body = b"answer to " + head.split(b" ")[1] + b"."
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            await writer.drain()
    except asyncio.IncompleteReadError:
        writer.close()


async def serve(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    print("port", server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def ask(port, name, first, last):
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
    for number in range(first, last):
        path = "/%s/%d" % (name, number)
        writer.write(("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path).encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = [int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
        body = await reader.readexactly(length[0])
        assert body == b"answer to " + path.encode() + b".", body
    writer.close()


async def ask_all(port, name, connections, each):
    await asyncio.gather(*[ask(port, name, i * each, (i + 1) * each) for i in range(connections)])


if sys.argv[1] == "serve":
    asyncio.run(serve(sys.argv[2], sys.argv[3]))
else:
    asyncio.run(ask_all(int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5])))
