/** What the tests of the examples share: programs that may be missing, the files of the examples, ports. */

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answered, openHouse } from '../browser/house.js';

/** The path of a file of the project. */
export const path = (name) => new URL(`../../${name}`, import.meta.url).pathname;

/** The text of a file of the project. */
export const text = (name) => readFile(path(name), 'utf8');

/** The environment without settings of whoever runs the tests. */
export const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HANOK_')));

/** The option of a test that needs `programs`: without one of them it is skipped, and `run` says so at the end. */
export function needs(...programs) {
  const missing = programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  return { skip: missing.length > 0 && `${missing.join(', ')} is missing` };
}

/** Runs a program to its end; gives what it said on both ways out, and throws with that when it fails. */
export async function run(program, words, options = {}) {
  const ran = promisify(execFile)(program, words, { env: ENVIRONMENT, ...options });
  const { stdout, stderr } = await ran.catch((error) => {
    throw new Error(`${program} ${words.join(' ')} ended with ${error.code}:\n${error.stdout}${error.stderr}`);
  });
  return stdout + stderr;
}

/** `original` with each of `changes`, every one of which must have something to change. */
export function changed(original, changes) {
  return changes.reduce((result, [from, to]) => {
    assert.ok(result.includes(from), `${from} is not in the file`);
    return result.replaceAll(from, to);
  }, original);
}

/** A house that asks for `passphrase`, with `file` as its settings; house and folder end with the test, in this order. */
export async function openGuardedHouse(t, passphrase, { file = '', ...options } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'hanok-'));
  await answered(folder, `${passphrase}\n`, 'household', 'passphrase', '--new');
  await writeFile(join(folder, 'appliance.toml'), file);
  const house = await openHouse(t, { folder, ...options });
  t.after(() => rm(folder, { recursive: true, force: true }));
  return house;
}

/** Ports of the loopback address on which nobody listens at this moment. */
export async function freePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, () => new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => resolve(server));
  })));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
