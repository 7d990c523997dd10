// An event loop that asks another server, from a timer, before it answers; and once more after that.
const http = require('http');

const backend = Number(process.argv[2]);
const agent = new http.Agent({keepAlive: true});

function ask(path, done) {
  http.get({host: '127.0.0.1', port: backend, path, agent}, (response) => {
    response.resume();
    response.on('end', done);
  });
}

const server = http.createServer((request, response) => {
  setTimeout(() => ask(request.url, () => ask(request.url + '/second', () => response.end('done'))), 2);
});
server.listen(0, '127.0.0.1', 511, () => console.log('port ' + server.address().port));
