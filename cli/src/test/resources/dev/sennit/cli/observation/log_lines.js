// Logs five lines for each request, in between those of others.
const http = require('node:http');
const pause = () => new Promise((done) => setTimeout(done, 2));

const server = http.createServer(async (request, response) => {
  for (let line = 1; line <= 5; line++) {
    console.log(`request ${request.url.slice(1)} line ${line}`);
    await pause();
  }
  response.end();
});
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));
