// An event loop that asks another server before it answers.
const http = require('http');

const next = Number(process.argv[2]);
const agent = new http.Agent({keepAlive: true});

const server = http.createServer((request, response) => {
  http.get({host: '127.0.0.1', port: next, path: request.url, agent}, (answer) => {
    answer.resume();
    answer.on('end', () => response.end('done'));
  });
});
server.listen(0, '127.0.0.1', 511, () => console.log('port ' + server.address().port));
