/** A house behind each of the reverse proxies, with the example's own settings: what must come through comes through. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import tls from 'node:tls';
import { parse } from 'yaml';
import { newFolder } from '../browser/house.js';
import { ENVIRONMENT, changed, freePorts, needs, openGuardedHouse, run, text } from './tools.js';

const PASSPHRASE = 'five apricot blossoms in the yard';
const NAME = 'hanok.home.arpa';
const MEBIBYTE = 1024 * 1024;
/** Smaller than what nginx or Caddy take by themselves, larger than what a house takes by default. */
const BODY_LIMIT = 12 * MEBIBYTE;

const PROXIES = [
  { name: 'nginx', programs: ['nginx', 'openssl'], begin: beginNginx },
  { name: 'Caddy', programs: ['caddy'], begin: beginCaddy },
];

/** A todo in so many bytes. Its end stands after them, so it is only JSON when all of them came. */
const large = (bytes) => `{"title":"milk",${' '.repeat(bytes)}"note":"two bottles"}`;

for (const proxy of PROXIES) {
  test(`behind ${proxy.name} the household signs in, and its session is kept to TLS`, needs(...proxy.programs), async (t) => {
    const { ask, origin } = await behind(t, proxy);
    assert.equal((await ask('GET', '/api/household')).json().signed_in, false, 'a caller of the proxy is taken for this machine');
    assert.equal((await ask('GET', '/api/todos')).status, 401);
    const signedIn = await ask('POST', '/api/household/sign-in', { passphrase: PASSPHRASE }, { origin });
    assert.equal(signedIn.status, 200, signedIn.body);
    assert.equal(signedIn.headers['strict-transport-security'], 'max-age=31536000');
    const [cookie] = signedIn.headers['set-cookie'];
    for (const word of [/; *secure/i, /; *httponly/i, /; *samesite=strict/i]) assert.match(cookie, word);
    const session = { cookie: cookie.split(';')[0], origin };
    assert.equal((await ask('POST', '/api/todos', { title: 'milk' }, session)).status, 201);
    assert.equal((await ask('GET', '/api/todos', undefined, session)).json().total, 1);
    const foreign = await ask('POST', '/api/todos', { title: 'planted' }, { ...session, origin: 'https://evil.example' });
    assert.equal(foreign.status, 403, 'a page of another site writes');
  });

  test(`${proxy.name} sends who comes without TLS to it`, needs(...proxy.programs), async (t) => {
    const { plain } = await behind(t, proxy);
    const answer = await plain('/todos?a=b');
    assert.equal(answer.status, 308);
    assert.match(answer.headers.location, new RegExp(`^https://${NAME}(:\\d+)?/todos\\?a=b$`));
  });

  test(`live events come through ${proxy.name} as they happen`, needs(...proxy.programs), async (t) => {
    const { ask, signIn, listen } = await behind(t, proxy);
    const session = await signIn();
    const heard = await listen('/api/events', session);
    await heard.until('event: *hello');
    assert.equal((await ask('POST', '/api/todos', { title: 'milk' }, session)).status, 201);
    // The stream goes on: an answer that is held back until its end would never come.
    await heard.until('"what":"todos"');
  });

  test(`on a browser's one connection to ${proxy.name} live events go on beside a large upload`, needs(...proxy.programs), async (t) => {
    const { signIn, connection } = await behind(t, proxy);
    const session = await signIn();
    const browser = await connection();
    const heard = hearing(browser.request({ ':path': '/api/events', ...browser.named, ...session }));
    await heard.until('event: *hello');
    const sent = { ':method': 'POST', ':path': '/api/todos', 'content-type': 'application/json' };
    const upload = browser.request({ ...sent, ...browser.named, ...session });
    upload.end(large(8 * MEBIBYTE));
    await heard.until('"what":"todos"');
    let added = '';
    for await (const piece of upload.setEncoding('utf8')) added += piece;
    assert.equal(JSON.parse(added).note, 'two bottles');
  });

  test(`a large upload comes through ${proxy.name} whole, and what is too large is refused by the house itself`, needs(...proxy.programs), async (t) => {
    const { ask, signIn } = await behind(t, proxy);
    const session = await signIn();
    const added = await ask('POST', '/api/todos', large(8 * MEBIBYTE), session);
    assert.equal(added.status, 201, added.body);
    assert.equal(added.json().note, 'two bottles');
    const refused = await ask('POST', '/api/todos', large(BODY_LIMIT), session);
    assert.equal(refused.status, 413);
    assert.equal(refused.json().error, 'TOO_LARGE');
  });

  test(`behind ${proxy.name} every caller is known by its own address, whatever it writes`, needs(...proxy.programs), async (t) => {
    const { ask } = await behind(t, proxy);
    const guess = (from, headers) => ask('POST', '/api/household/sign-in', { passphrase: 'a wrong guess' }, headers, from);
    // Five wrong guesses from one address cost nothing, the next ones must wait.
    const forged = (turn) => ({ 'x-forwarded-for': `198.51.100.${turn}`, 'x-real-ip': '198.51.100.99', forwarded: 'for=198.51.100.99' });
    const one = await Promise.all(Array.from({ length: 12 }, (_, turn) => guess('127.0.0.2', forged(turn))));
    const waits = one.filter((answer) => answer.status === 429).length;
    assert.ok(waits >= 4, `a caller that writes itself other addresses guesses on: ${one.map((answer) => answer.status)}`);
    const other = await Promise.all(Array.from({ length: 5 }, () => guess('127.0.0.3', {})));
    assert.deepEqual(other.map((answer) => answer.status), [401, 401, 401, 401, 401], 'two callers are taken for one');
  });
}

test('the two files of Traefik fit together, and lead to the doors of the settings', async () => {
  const [main, { http: doors }] = await Promise.all(['traefik.yml', 'hanok.traefik.yml'].map(yaml));
  const settings = await text('examples/behind-a-proxy.toml');
  assert.deepEqual(main.entryPoints.websecure.forwardedHeaders, { insecure: false, trustedIPs: [] });
  assert.deepEqual(main.entryPoints.web.http.redirections.entryPoint, { to: 'websecure', scheme: 'https' });
  assert.equal(Object.keys(doors.routers).length, 2);
  for (const router of Object.values(doors.routers)) {
    const name = /^Host\(`(.+)`\)$/.exec(router.rule)[1];
    assert.match(settings, new RegExp(`"(https://)?${name}"`));
    assert.deepEqual(router.entryPoints, ['websecure']);
    assert.ok(router.tls, 'a door without TLS');
    assert.ok(!router.tls.certResolver || main.certificatesResolvers[router.tls.certResolver], 'an unknown authority');
    for (const middleware of router.middlewares ?? []) assert.ok(doors.middlewares[middleware], middleware);
    const { passHostHeader, servers } = doors.services[router.service].loadBalancer;
    assert.ok(passHostHeader, 'hanok would take its own pages for those of another site');
    assert.ok(settings.includes(`listen = "${new URL(servers[0].url).host}"`), servers[0].url);
  }
});

const yaml = async (name) => parse(await text(`examples/${name}`), { strict: true });

/** A house with the example's settings, and `proxy` in front of it; both end with the test. */
async function behind(t, proxy) {
  const settings = { HANOK_HTTP__BODY_LIMIT_BYTES: String(BODY_LIMIT) };
  const house = await openGuardedHouse(t, PASSPHRASE, { file: await text('examples/behind-a-proxy.toml'), settings });
  const [plainPort, port] = await freePorts(2);
  const ca = await proxy.begin(t, { house, plainPort, port });
  const to = { host: '127.0.0.1', port, servername: NAME, ca, agent: false };
  const named = { host: `${NAME}:${port}` };
  const ask = (method, target, body, headers = {}, from = '127.0.0.1') => {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const typed = sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) };
    const options = { ...to, method, path: target, localAddress: from, headers: { ...named, ...typed, ...headers } };
    return answerTo(https.request(options), sent);
  };
  const signIn = async () => {
    const { headers } = await ask('POST', '/api/household/sign-in', { passphrase: PASSPHRASE });
    return { cookie: headers['set-cookie'][0].split(';')[0] };
  };
  const plain = (target) => answerTo(http.request({ host: '127.0.0.1', port: plainPort, path: target, agent: false, headers: { host: NAME } }));
  const listen = (target, headers) => listenTo(t, https.request({ ...to, path: target, headers: { ...named, ...headers } }));
  const connection = async () => {
    const session = http2.connect(`https://${NAME}:${port}`, { createConnection: () => tls.connect({ ...to, ALPNProtocols: ['h2'] }) });
    t.after(() => session.destroy());
    await once(session, 'connect');
    return { request: (headers) => session.request(headers), named: { ':authority': named.host } };
  };
  return { ask, signIn, plain, listen, connection, origin: `https://${NAME}:${port}` };
}

async function answerTo(request, sent) {
  const [response] = await once(request.end(sent), 'response');
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += piece;
  return { status: response.statusCode, headers: response.headers, body, json: () => JSON.parse(body) };
}

/** A stream of events that is read as it comes, until the test ends. */
async function listenTo(t, request) {
  t.after(() => request.destroy());
  const [response] = await once(request.end(), 'response');
  assert.equal(response.statusCode, 200);
  return hearing(response);
}

function hearing(stream) {
  const pieces = stream.setEncoding('utf8')[Symbol.asyncIterator]();
  let heard = '';
  const until = async (pattern) => {
    while (!new RegExp(pattern).test(heard)) {
      const { value, done } = await pieces.next();
      if (done) throw new Error(`the stream ended before ${pattern}: ${heard}`);
      heard += value;
    }
  };
  return { until };
}

/** nginx with the example's file; gives the certificate to believe. */
async function beginNginx(t, { house, plainPort, port }) {
  const folder = await newFolder(t);
  const certificate = ['-keyout', join(folder, 'key'), '-out', join(folder, 'certificate')];
  const names = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME},DNS:shop.example`];
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...certificate, ...names]);
  const doors = changed(await text('examples/nginx.conf'), [
    ['    listen [::]:80;\n', ''],
    ['    listen [::]:443 ssl http2;\n', ''],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['/etc/ssl/hanok/household.crt', join(folder, 'certificate')],
    ['/etc/ssl/hanok/household.key', join(folder, 'key')],
    ['/etc/ssl/hanok/customers.crt', join(folder, 'certificate')],
    ['/etc/ssl/hanok/customers.key', join(folder, 'key')],
    ['127.0.0.1:8420', new URL(house.household).host],
    ['127.0.0.1:8421', new URL(house.customers).host],
  ]);
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`);
  const main = `daemon off; master_process off; pid ${folder}/pid; error_log stderr warn; events {}
    http { access_log off; ${scratch.join(' ')} include ${folder}/hanok.conf; }`;
  await writeFile(join(folder, 'hanok.conf'), doors);
  await writeFile(join(folder, 'nginx.conf'), main);
  await begin(t, 'nginx', ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], {}, port);
  return readFile(join(folder, 'certificate'));
}

/** Caddy with the example's file, its certificates from its own authority; gives the one to believe. */
async function beginCaddy(t, { house, plainPort, port }) {
  const folder = await newFolder(t);
  const global = `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${plainPort}\n\thttps_port ${port}\n\tdefault_bind 127.0.0.1\n\tstorage file_system ${folder}\n}\n`;
  const doors = changed(await text('examples/Caddyfile'), [
    ['shop.example {\n', 'shop.example {\n\ttls internal\n'],
    ['127.0.0.1:8420', new URL(house.household).host],
    ['127.0.0.1:8421', new URL(house.customers).host],
  ]);
  await writeFile(join(folder, 'Caddyfile'), global + doors);
  await mkdir(join(folder, 'home'));
  const home = { HOME: join(folder, 'home'), XDG_CONFIG_HOME: join(folder, 'home'), XDG_DATA_HOME: join(folder, 'home') };
  await begin(t, 'caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], home, port);
  return readFile(join(folder, 'pki/authorities/local/root.crt'));
}

/** Starts a proxy that ends with the test, and waits until it answers on `port` under the household's name. */
async function begin(t, program, words, environment, port) {
  const child = spawn(program, words, { env: { ...ENVIRONMENT, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  while (!(await shakesHands(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended:\n${said}`);
  }
}

function shakesHands(port) {
  return new Promise((resolve) => {
    const socket = tls.connect({ host: '127.0.0.1', port, servername: NAME, rejectUnauthorized: false });
    socket.once('secureConnect', () => resolve(true)).once('error', () => setTimeout(() => resolve(false), 20));
    socket.once('secureConnect', () => socket.destroy());
  });
}
