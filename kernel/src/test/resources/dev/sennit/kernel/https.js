// TLS in Node: a server, or a client that sends so many requests over so many connections at a time.
const fs = require('fs');
const https = require('https');

const [doing, ...rest] = process.argv.slice(2);

function serve(certificate, key) {
  const server = https.createServer(
      {cert: fs.readFileSync(certificate), key: fs.readFileSync(key)},
      (request, response) => response.end('answer to ' + request.url + '.'));
  server.listen(0, '127.0.0.1', 511, () => console.log('port ' + server.address().port));
}

function ask(port, path, agent) {
  return new Promise((resolve, reject) => {
    https.get({host: '127.0.0.1', port, path, agent, rejectUnauthorized: false}, (response) => {
      let body = '';
      response.on('data', (data) => body += data);
      response.on('end', () => body === 'answer to ' + path + '.' ? resolve() : reject(new Error(body)));
    }).on('error', reject);
  });
}

async function askAll(port, name, connections, each) {
  const agent = new https.Agent({keepAlive: true, maxSockets: connections});
  const all = [];
  for (let i = 0; i < connections * each; i++) {
    all.push(ask(port, '/' + name + '/' + i, agent));
  }
  await Promise.all(all);
  agent.destroy();
}

if (doing === 'serve') {
  serve(...rest);
} else {
  askAll(Number(rest[0]), rest[1], Number(rest[2]), Number(rest[3]));
}
