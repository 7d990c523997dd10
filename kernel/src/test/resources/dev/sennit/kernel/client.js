// The series of requests of RuntimeInjectionTest, by http.request or by fetch.
const http = require('http');
const https = require('https');

const kind = process.argv[2];
const [port, tlsPort, kept, secret] = process.argv.slice(3).map(Number);
const body = Buffer.alloc(1 << 20);
for (let i = 0; i < body.length; i++) {
  body[i] = 'a'.charCodeAt(0) + i % 26;
}
const longHeaders = {};
for (let i = 0; i < 40; i++) {
  longHeaders['X-Long-' + String(i).padStart(2, '0')] = 'v'.repeat(300);
}
const traced = {TraceParent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'};
const frame = Buffer.from('GET /frame HTTP/1.1\r\nHost: localhost\r\n\r\n');
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
process.removeAllListeners('warning');

const agents = {
  http: new http.Agent({keepAlive: true, maxSockets: 1}),
  https: new https.Agent({keepAlive: true, maxSockets: 1}),
};

function byRequest(method, url, headers, data) {
  const secure = url.startsWith('https');
  const agent = secure ? agents.https : agents.http;
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request(url, {method, headers, agent}, (response) => {
      let text = '';
      response.on('data', (part) => text += part);
      response.on('end', () => text === 'ok' ? resolve() : reject(new Error(text)));
    });
    request.on('error', reject);
    request.end(data);
  });
}

async function byFetch(method, url, headers, data) {
  const response = await fetch(url, {method, headers, body: data});
  const text = await response.text();
  if (text !== 'ok') {
    throw new Error(text);
  }
}

function upgrade() {
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: '127.0.0.1', port, path: '/socket', agent: false,
      headers: {
        'Connection': 'Upgrade', 'Upgrade': 'websocket',
        'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ=='},
    });
    request.on('upgrade', (response, socket) => {
      socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | frame.length, 0, 0, 0, 0]), frame]));
      socket.write(Buffer.from([0x88, 0x80, 0, 0, 0, 0]));
      socket.on('data', () => socket.end());
      socket.on('close', resolve);
    });
    request.on('error', reject);
    request.end();
  });
}

async function all() {
  const send = kind === 'fetch' ? byFetch : byRequest;
  const plain = 'http://127.0.0.1:' + port;
  for (let i = 0; i < kept; i++) {
    await send('GET', plain + '/get/' + i, {'X-Number': String(i)});
  }
  await send('POST', plain + '/post', {}, body);
  await send('GET', plain + '/long', longHeaders);
  await send('GET', plain + '/traced', traced);
  await send('GET', plain + '/last', {});
  for (let i = 0; i < secret; i++) {
    await send('GET', 'https://127.0.0.1:' + tlsPort + '/secret/' + i, {});
  }
  if (kind !== 'fetch') {
    await upgrade();
  }
  process.exit(0);
}

all().catch((error) => {
  console.error(error);
  process.exit(1);
});
