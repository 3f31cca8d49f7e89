/**
 * A large file on its way into the house, while the house and the browser that sends it are killed again and again:
 *
 *   BINARY=target/release/hanok npm --prefix tests/browser run large-file -- [GIB]
 *
 * Five gibibytes without a number. It is no part of `tests/run`: it writes the file twice below the folder for temporary files, and
 * takes minutes. `SEED` repeats the run that printed it. What comes in is known by other means: the bytes are a keystream of AES, so
 * that each of them can be made anew at its place, and their SHA-256 is taken while they are written.
 */

import assert from 'node:assert/strict';
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, stat, statfs, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { newVisitor, openBrowser } from './browser.js';
import { command, newFolder, openHouse, post, until } from './house.js';

const MEBIBYTE = 2 ** 20;
const LENGTH = Number(process.argv[2] ?? 5) * 2 ** 30;
const SEED = process.env['SEED'] ?? randomBytes(4).toString('hex');
const KEY = createHash('sha256').update(SEED).digest();
/** Who is killed, in an order that is drawn. */
const KILLED = ['house', 'house', 'house', 'house', 'browser', 'browser', 'browser'];
/** Bytes that the browser sends with one request. */
const PART = 64 * MEBIBYTE;
/** The house notes how far it is after 32 MiB: no more than these and a piece is sent again. */
const MOST_SENT_AGAIN = 33 * MEBIBYTE;
/** What the house may take beyond what it has at rest. */
const MOST_MEMORY = 96 * MEBIBYTE;
const TUS = { 'tus-resumable': '1.0.0' };

const shown = (bytes) => `${Math.round(bytes / MEBIBYTE)} MiB`;

/** A number below `most`, the next of those that follow from the seed. */
let drawn = 0;
function draw(most) {
  drawn += 1;
  return Number(createHash('sha256').update(`${SEED} ${drawn}`).digest().readBigUInt64BE() % BigInt(most));
}

/** What makes the bytes of the file from the block of `from` on. */
function keystream(from) {
  const counter = Buffer.alloc(16);
  counter.writeBigUInt64BE(BigInt(from) / 16n, 8);
  return createCipheriv('aes-256-ctr', KEY, counter);
}

/** So many bytes of the file, from `from` on. */
function content(from, length) {
  const begun = from % 16;
  return keystream(from).update(Buffer.alloc(begun + length)).subarray(begun);
}

/** Writes the file; gives its SHA-256. */
async function make(path) {
  const [file, stream, digest] = [await open(path, 'w'), keystream(0), createHash('sha256')];
  for (let at = 0; at < LENGTH; at += 8 * MEBIBYTE) {
    const piece = stream.update(Buffer.alloc(Math.min(8 * MEBIBYTE, LENGTH - at)));
    digest.update(piece);
    await file.writeFile(piece);
  }
  await file.close();
  return digest.digest('hex');
}

/** Announces the file; gives where it comes in. */
async function begin(house) {
  const begun = await fetch(`${house.household}/api/uploads`, { method: 'POST', headers: { ...TUS, 'upload-length': String(LENGTH) } });
  assert.equal(begun.status, 201);
  return begun.headers.get('location');
}

/** How far it is, once no part of it comes in any more. */
function offsetOf(house, place) {
  return until(async () => {
    const head = await fetch(house.household + place, { method: 'HEAD', headers: TUS });
    assert.ok([200, 409].includes(head.status), `${head.status}`);
    return head.ok && { offset: Number(head.headers.get('upload-offset')) };
  });
}

/** Runs in the page: sends what is missing of the chosen file, from where the house says that it is. Gives whether all of it is there. */
async function bring({ place, part }) {
  const [file] = document.querySelector('#large').files;
  const headers = { 'Tus-Resumable': '1.0.0', 'Content-Type': 'application/offset+octet-stream' };
  const far = (answer) => Number(answer.headers.get('Upload-Offset'));
  try {
    let offset = far(await fetch(place, { method: 'HEAD', headers }));
    while (offset < file.size) {
      const body = file.slice(offset, offset + part);
      const answer = await fetch(place, { method: 'PATCH', headers: { ...headers, 'Upload-Offset': String(offset) }, body });
      if (!answer.ok) return false;
      offset = far(answer);
    }
    return true;
  } catch {
    return false;
  }
}

/** A browser with a page of the house open, in which the file is chosen. */
async function openTab(t, house, path) {
  const browser = await openBrowser();
  t.after(() => browser.close().catch(() => undefined));
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const { id } = processInfo.find(({ type }) => type === 'browser');
  const { page } = await newVisitor(undefined, browser, house);
  await page.goto('/');
  await page.evaluate(() => {
    const field = Object.assign(document.createElement('input'), { type: 'file', id: 'large' });
    document.body.append(field);
  });
  await page.setInputFiles('#large', path);
  const gone = new Promise((resolve) => browser.once('disconnected', resolve));
  const kill = () => {
    process.kill(id, 'SIGKILL');
    return gone;
  };
  return { bring: (place) => page.evaluate(bring, { place, part: PART }).catch(() => false), kill, close: () => browser.close() };
}

/** A figure of the house's process, in bytes. */
async function memory(house, name) {
  const status = await readFile(`/proc/${house.pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)[1]) * 1024;
}

/** Asks for a part of the file; gives the answer after a look at its headers. */
async function part(house, file, range, from, length) {
  const answer = await fetch(`${house.household}/api/files/${file}`, { headers: { range, 'if-range': `"${file}"` } });
  const said = [answer.status, answer.headers.get('content-range'), answer.headers.get('content-length')];
  assert.deepEqual(said, [206, `bytes ${from}-${from + length - 1}/${LENGTH}`, String(length)], range);
  return answer;
}

/** The SHA-256 of what the house gives out, asked for in parts of any length. */
async function digestInParts(house, file) {
  const digest = createHash('sha256');
  for (let from = 0; from < LENGTH; ) {
    const length = Math.min(1 + draw(512 * MEBIBYTE), LENGTH - from);
    const answer = await part(house, file, `bytes=${from}-${from + length - 1}`, from, length);
    for await (const piece of answer.body) digest.update(piece);
    from += length;
  }
  return digest.digest('hex');
}

/** Parts from the beginning, the end, around where numbers of 32 bits end, and from anywhere are those of the file. */
async function looksAtParts(house, file) {
  const odd = 1_000_003;
  const asked = [
    ['bytes=0-0', 0, 1],
    [`bytes=${LENGTH - 1}-`, LENGTH - 1, 1],
    ['bytes=-1', LENGTH - 1, 1],
    [`bytes=-${odd}`, LENGTH - odd, odd],
    [`bytes=${LENGTH - odd}-${LENGTH + odd}`, LENGTH - odd, odd],
  ];
  for (const border of [2 ** 31, 2 ** 32]) if (border + 8 < LENGTH) asked.push([`bytes=${border - 8}-${border + 7}`, border - 8, 16]);
  for (let times = 0; times < 20; times += 1) {
    const from = draw(LENGTH - odd);
    asked.push([`bytes=${from}-${from + odd - 1}`, from, odd]);
  }
  for (const [range, from, length] of asked) {
    const given = Buffer.from(await (await part(house, file, range, from, length)).arrayBuffer());
    assert.ok(given.equals(content(from, length)), range);
  }
  const beyond = await fetch(`${house.household}/api/files/${file}`, { headers: { range: `bytes=${LENGTH}-` } });
  assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${LENGTH}`]);
}

/** What an interrupted file leaves: it goes when its sender ends it, and one that nobody knows any more when the house clears up. */
async function leavesNothing(t, house, path, lying) {
  const place = await begin(house);
  const coming = join(house.data, 'blobs', `${place.split('/').at(-1)}.upload`);
  const tab = await openTab(t, house, path);
  void tab.bring(place);
  await until(async () => (await stat(coming)).size > PART);
  await tab.kill();
  await offsetOf(house, place);
  const ended = await fetch(house.household + place, { method: 'DELETE', headers: TUS });
  assert.equal(ended.status, 204);
  assert.deepEqual(await lying(), 1);
  const [unknown, old] = [join(house.data, 'blobs', '0123456789abcdef.upload'), new Date(Date.now() - 48 * 3600 * 1000)];
  await writeFile(unknown, 'what a process that was killed has left');
  await utimes(unknown, old, old);
  await post(house, '/api/system/schedule/purge/run');
  await until(async () => (await lying()) === 1);
}

test(`${LENGTH / 2 ** 30} GiB come in across kills of the house and of the browser, and go out in parts`, async (t) => {
  assert.ok(LENGTH >= 2 ** 30, 'the file has at least one GiB');
  const { bavail, bsize } = await statfs(tmpdir());
  assert.ok(bavail * bsize > 2 * LENGTH + 2 ** 30, `${tmpdir()} has too little room: it takes twice the file, and a little`);
  console.log(`SEED=${SEED}`);
  const folder = await newFolder(t);
  const path = join(folder, 'large.bin');
  const sha256 = await make(path);
  const settings = { HANOK_JOBS__SCHEDULE: 'false', HANOK_STORE__UPLOAD_MIB: String(Math.ceil(LENGTH / MEBIBYTE)) };
  const data = join(folder, 'data');
  let listen = '127.0.0.1:0';
  const start = () => openHouse(t, { folder: data, listen, settings });
  await mkdir(data);
  let house = await start();
  listen = new URL(house.household).host;
  let tab = await openTab(t, house, path);
  const atRest = await memory(house, 'VmRSS');
  let most = 0;
  const look = async () => (most = Math.max(most, await memory(house, 'VmHWM')));

  const begun = performance.now();
  const place = await begin(house);
  const coming = join(data, 'blobs', `${place.split('/').at(-1)}.upload`);
  const there = async () => (await stat(coming)).size;
  const order = KILLED.map((who) => [draw(2 ** 32), who]).sort(([a], [b]) => a - b).map(([, who]) => who);
  const stretch = Math.floor(LENGTH / order.length);
  let sentAgain = 0;
  for (const [round, who] of order.entries()) {
    // Somewhere in its stretch, so that each begins after what was under way at the one before.
    const at = round * stretch + PART + draw(stretch - PART);
    let isOver = false;
    const brought = tab.bring(place).then((isWhole) => {
      isOver = true;
      return isWhole;
    });
    while ((await there()) < at) {
      assert.ok(!isOver, `the browser sends nothing any more at ${await there()}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await look();
    if (who === 'house') {
      house.signal('SIGKILL');
      assert.equal(await house.stop(), 'SIGKILL');
      assert.equal(await brought, false);
      const written = await there();
      house = await start();
      const { offset } = await offsetOf(house, place);
      assert.ok(offset <= written && written - offset < MOST_SENT_AGAIN, `${offset} of ${written}`);
      sentAgain = Math.max(sentAgain, written - offset);
    } else {
      await tab.kill();
      const { offset } = await offsetOf(house, place);
      // What has come in stays.
      assert.ok(offset >= at && offset === (await there()), `${offset} of ${await there()}, at ${at}`);
      tab = await openTab(t, house, path);
    }
    console.log(`${who} killed at ${shown(at)}`);
  }
  assert.equal(await tab.bring(place), true);
  const seconds = Math.round((performance.now() - begun) / 1000);
  const { file, offset } = await (await fetch(house.household + place)).json();
  assert.deepEqual([file, offset], [sha256, LENGTH]);
  await tab.close();

  assert.equal(await digestInParts(house, file), sha256);
  await looksAtParts(house, file);
  await look();
  const lying = async () => (await readdir(join(data, 'blobs'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;
  assert.equal(await lying(), 1);
  await leavesNothing(t, house, path, lying);
  await look();
  assert.equal(await house.stop(), 0);
  await command(data, 'verify');

  const kills = `${order.filter((who) => who === 'house').length} kills of the house and ${order.filter((who) => who === 'browser').length} of the browser`;
  console.log(`${shown(LENGTH)} in ${seconds} s across ${kills}, at most ${shown(sentAgain)} sent again; at most ${shown(most)} of memory, ${shown(atRest)} at rest`);
  assert.ok(most - atRest < MOST_MEMORY, `${shown(most - atRest)} more than at rest`);
});
