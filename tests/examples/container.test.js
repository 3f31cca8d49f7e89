/** The container files: what they promise, and the binary living under exactly that. */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { BINARY, newFolder } from '../browser/house.js';
import { ENVIRONMENT, freePorts, needs, run, text } from './tools.js';

const service = async () => parse(await text('examples/compose.yaml'), { strict: true }).services.hanok;

/** The instructions of the Dockerfile's last stage, each with its words. */
async function lastStage() {
  const joined = (await text('examples/Dockerfile')).replace(/^#.*\n/gm, '').replace(/\\\n\s*/g, '');
  const instructions = joined.split('\n').filter(Boolean).map((line) => [line.split(' ')[0], line.slice(line.indexOf(' ') + 1)]);
  return instructions.slice(instructions.findLastIndex(([name]) => name === 'FROM'));
}

const words = (stage, wanted) => stage.filter(([name]) => name === wanted).map(([, rest]) => rest);

test('the Dockerfile is without fault', async () => {
  const faults = validate(await text('examples/Dockerfile')).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`);
  assert.deepEqual(faults, []);
});

test('the image has a user of its own, one volume and a health check', async () => {
  const stage = await lastStage();
  assert.deepEqual(words(stage, 'USER'), ['10001:10001']);
  assert.deepEqual(words(stage, 'VOLUME'), ['/data']);
  assert.equal(words(stage, 'HEALTHCHECK').length, 1);
  assert.deepEqual(words(stage, 'ENTRYPOINT'), ['["hanok"]']);
});

test('the compose file gives the container no right, nothing to write but its volume, and a health check', async () => {
  const hanok = await service();
  assert.equal(hanok.user, '10001:10001');
  assert.equal(hanok.read_only, true);
  assert.deepEqual(hanok.cap_drop, ['ALL']);
  assert.deepEqual(hanok.security_opt, ['no-new-privileges:true']);
  assert.deepEqual(hanok.volumes, ['hanok-data:/data']);
  assert.ok(['privileged', 'cap_add', 'network_mode', 'pid', 'devices'].every((right) => hanok[right] === undefined));
  const [, inImage] = /CMD (\[.*\])/.exec(words(await lastStage(), 'HEALTHCHECK')[0]);
  assert.deepEqual(['CMD', ...JSON.parse(inImage)], hanok.healthcheck.test, 'image and compose file check otherwise');
  assert.ok(parseInt(hanok.stop_grace_period, 10) >= 20, 'the store has no time to close');
});

const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0;
const jailed = mayMount ? needs('setpriv', 'busybox') : { skip: 'the right to mount is missing' };

test('without any right, on a read-only system and as that user the house opens, is healthy, keeps what it is told and closes', jailed, async (t) => {
  const place = await newFolder(t);
  const [data, binary] = [join(place, 'data'), join(place, 'hanok')];
  await chmod(place, 0o711);
  await mkdir(data);
  await chown(data, 10001, 10001);
  await copyFile(BINARY, binary);
  const [ops, site] = await freePorts(2);
  const image = Object.fromEntries(words(await lastStage(), 'ENV')[0].split(' ').map((pair) => pair.split('=')));
  const here = (value) => value.replace('/data', data).replace('8420', ops).replace('8421', site);
  const own = { HANOK_LOTTERY__OPERATOR: 'http://127.0.0.1:9', HANOK_MARKET__SYNC: 'false', HANOK_OPS__HOSTS: (await service()).environment.HANOK_OPS__HOSTS };
  const env = { PATH: ENVIRONMENT.PATH, ...own, ...Object.fromEntries(Object.entries(image).map(([name, value]) => [name, here(value)])) };

  // Everything is mounted again so that it can only be read, but for the volume; then every right is given up.
  const jail = `mount --bind "$1" "$1" && mount -o remount,bind,ro / && cd "$1" && shift &&
    exec setpriv --reuid=10001 --regid=10001 --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs "$@"`;
  const inJail = ['--mount', '--propagation', 'private', 'sh', '-c', jail, 'sh', data];
  await assert.rejects(run('unshare', [...inJail, 'touch', '/etc/written'], { env }), /Read-only file system|Permission denied/);
  const refused = await run('unshare', [...inJail, binary, 'serve'], { env }).catch((error) => error);
  assert.match(refused.message, /hanok household passphrase/, 'without a passphrase the door must stay closed');
  // The first words of the compose file, on a volume that is new.
  await Promise.all((await readdir(data)).map((name) => rm(join(data, name), { recursive: true })));
  const [, first] = /run --rm hanok ([\w -]+?) +#/.exec(await text('examples/compose.yaml'));
  const asked = spawn('unshare', [...inJail, binary, ...first.split(' ')], { env, stdio: ['pipe', 'ignore', 'inherit'] });
  asked.stdin.end('five apricot blossoms\n');
  assert.equal(await new Promise((resolve) => asked.once('exit', resolve)), 0);

  const house = spawn('unshare', [...inJail, binary, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => house.once('exit', (code, signal) => resolve(code ?? signal)));
  t.after(() => house.kill('SIGKILL'));
  const lines = createInterface(house.stdout)[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, `household http://0.0.0.0:${ops}`);
  const [, program, ...check] = (await service()).healthcheck.test;
  await run('busybox', [program, ...check.map(here)]);
  const signIn = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"passphrase":"five apricot blossoms"}' };
  assert.equal((await fetch(`http://127.0.0.1:${ops}/api/household/sign-in`, signIn)).status, 200);
  assert.equal((await stat(join(data, 'hanok.redb'))).uid, 10001);
  house.kill('SIGTERM');
  assert.equal(await ended, 0);
  await assert.rejects(run('busybox', [program, ...check.map(here)]), undefined, 'a house that is closed is called healthy');
});
