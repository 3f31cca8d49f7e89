/** The real binary on a data folder of its own, on ports of its own, with an operator that the test plays. */

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export const BINARY = process.env['BINARY'] ?? new URL('../../target/release/hanok', import.meta.url).pathname;

/** The environment without settings of whoever runs the tests; their appliance.toml is left aside by starting in the data folder. */
const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HANOK_')));

/** What stops the houses that were opened in a folder, by that folder. */
const stops = new Map();

/** Nobody listens there: what is asked for at this address is away. */
export const NOBODY = '127.0.0.1:9';

/**
 * Starts a house that ends with the test `t`, if not before. `settings` are environment variables; `listen` is the
 * household's address, null where the settings of the folder say it; a `folder` that is given is used and kept, otherwise a new one is removed with the house.
 */
export async function openHouse(t, { settings = {}, listen = '127.0.0.1:0', folder } = {}) {
  const data = folder ?? (await mkdtemp(join(tmpdir(), 'hanok-')));
  const started = performance.now();
  const process_ = spawn(BINARY, ['serve', '--data-dir', data, ...(listen === null ? [] : ['--ops-listen', listen]), '--site-listen', '127.0.0.1:0'], {
    cwd: data,
    env: { ...ENVIRONMENT, HANOK_LOTTERY__OPERATOR: `http://${NOBODY}`, HANOK_MARKET__SYNC: 'false', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = [];
  createInterface(process_.stderr).on('line', (line) => log.push(line));
  const ended = new Promise((resolve) => process_.once('exit', (code, signal) => resolve(code ?? signal)));
  const doors = await firstLines(process_.stdout, 2, ended, log);
  const milliseconds = performance.now() - started;
  const address = (name) => doors.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const port = new URL(address('household')).port;
  const stop = async () => {
    process_.kill('SIGTERM');
    // Who hangs hears it when they go on.
    process_.kill('SIGCONT');
    const code = await ended;
    if (!folder) await rm(data, { recursive: true, force: true, maxRetries: 5 });
    return code;
  };
  t?.after(stop);
  if (folder) stops.set(folder, [...(stops.get(folder) ?? []), stop]);

  return {
    data,
    log,
    milliseconds,
    pid: process_.pid,
    /** Where the household's pages are; every listen address is reached through the loopback one. */
    household: `http://127.0.0.1:${port}`,
    customers: address('customers'),
    /** Sends it a signal, such as `SIGSTOP`, which makes it hang with every connection open. */
    signal: (name) => process_.kill(name),
    /** Ends it as a service manager does; gives the exit code. */
    stop,
  };
}

async function firstLines(stream, count, ended, log) {
  const lines = [];
  const read = (async () => {
    for await (const line of createInterface(stream)) {
      lines.push(line);
      if (lines.length === count) return lines;
    }
    return undefined;
  })();
  const found = await Promise.race([read, ended.then(() => undefined)]);
  if (!found) throw new Error(`the binary ended before its doors were open:\n${log.join('\n')}`);
  return found;
}

/** Runs one command of the binary on a data folder; gives its standard output. */
export async function command(data, ...words) {
  const { stdout } = await promisify(execFile)(BINARY, words, { cwd: data, env: { ...ENVIRONMENT, HANOK_DATA__DIR: data } });
  return stdout;
}

/** What the household's door answers there. */
export async function get(house, path) {
  const response = await fetch(house.household + path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

/** Asks the household's door to do something. */
export async function post(house, path, body) {
  const response = await fetch(house.household + path, {
    method: 'POST',
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

/** How long anything in these tests is waited for, in milliseconds. */
export const PATIENCE_MS = 30_000;

/**
 * Looks until something holds, as long as any other wait of these tests, and gives what held; playwright's `waitForFunction`
 * takes a promise, whatever comes of it, for what holds.
 */
export async function until(holds) {
  const last = Date.now() + PATIENCE_MS;
  for (;;) {
    const held = await holds();
    if (held) return held;
    if (Date.now() > last) throw new Error(`waited in vain until ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Brings draws by hand, as a file without what is not in its columns: what contradicts stored ones is kept aside. */
export async function importDraws(house, draws) {
  const lines = draws.map(({ draw_no, date, numbers, bonus }) => [draw_no, date, ...numbers, bonus, '', '', ''].join(','));
  const file = join(house.data, 'draws.csv');
  await writeFile(file, ['draw_no,date,n1,n2,n3,n4,n5,n6,bonus,first_winners,first_prize_each,total_sales', ...lines, ''].join('\n'));
  await command(house.data, 'lotto', 'import', file);
  await rm(file);
}

/** The same with something typed into its standard input. */
export function answered(data, input, ...words) {
  return new Promise((resolve, reject) => {
    const process_ = spawn(BINARY, words, { cwd: data, env: { ...ENVIRONMENT, HANOK_DATA__DIR: data } });
    let said = '';
    process_.stdout.on('data', (piece) => (said += piece));
    process_.stderr.on('data', (piece) => (said += piece));
    process_.once('exit', (code) => (code === 0 ? resolve(said) : reject(new Error(`${words.join(' ')}: ${said}`))));
    process_.stdin.end(input);
  });
}

/** A new folder that is removed with the test `t`. */
export async function newFolder(t) {
  const folder = await mkdtemp(join(tmpdir(), 'hanok-'));
  t.after(async () => {
    // What is begun first is cleared away first: a house may still write there.
    for (const stop of stops.get(folder) ?? []) await stop();
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/**
 * A way to a house that goes through a proxy: `asks` changes the headers of each request, `hears` is told of each answer with
 * its address. Gives what stands in the house's place, and the end of it.
 */
export async function through(house, { asks = (headers) => headers, hears = () => undefined }) {
  const server = createServer((req, res) => {
    const sent = request(house.household + req.url, { method: req.method, headers: asks(req.headers) }, (answer) => {
      res.writeHead(answer.statusCode, answer.headers);
      answer.pipe(res);
      hears(req.url, answer);
    });
    sent.on('error', () => res.destroy());
    res.on('close', () => sent.destroy());
    req.pipe(sent);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    household: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The sentences of the app in one language, by section: `say('lottery', 'page.recommend')`. */
export async function sentences(language) {
  const source = new URL('../../assets/ops/src/', import.meta.url).pathname;
  const all = {};
  for (const name of await readdir(source, { recursive: true })) {
    const section = /([\w-]+)\/messages\.json$/.exec(name)?.[1];
    if (!section) continue;
    const rooms = Object.values(JSON.parse(await readFile(join(source, name), 'utf8')));
    const said = rooms.flatMap((room) => Object.entries(room)).map(([key, [ko, en]]) => [key, language === 'ko' ? ko : en]);
    all[section] = Object.fromEntries(said);
  }
  return (area, key, values = {}) => {
    const sentence = all[area][key];
    if (sentence === undefined) throw new Error(`no sentence ${area}.${key} in ${language}`);
    return sentence.replace(/\{(\w+)(,)?(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name, isCount, one, many) => {
      if (values[name] === undefined) return whole;
      return one === undefined ? (isCount ? values[name].toLocaleString('en-US') : String(values[name])) : Number(values[name]) === 1 ? one : many;
    });
  };
}
