// The prices of the shop. They know nothing of traces: whatever is seen of them is seen from outside.
const http = require("node:http");

const log = (level, message) => process.stdout.write(`${new Date().toISOString()} ${level} prices ${message}\n`);

const server = http.createServer((request, response) => {
  const {pathname, searchParams} = new URL(request.url, "http://localhost");
  const number = searchParams.get("id");
  if (pathname === "/fail") {
    log("ERROR", `request ${number}: no such article`);
    response.writeHead(500).end("no such article");
  } else {
    log("INFO", `request ${number}: priced`);
    response.end("42 EUR");
  }
});

server.listen(0, "127.0.0.1", () => process.stdout.write(`listening on ${server.address().port}\n`));
