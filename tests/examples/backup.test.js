/** The backup script beside a running house, and the house that comes back from its copy. */

import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { BINARY, newFolder, openHouse } from '../browser/house.js';
import { ENVIRONMENT, needs, path, run } from './tools.js';

const WAYS = [
  { way: 'rsync', programs: ['rsync'] },
  { way: 'restic', programs: ['restic'] },
];

for (const { way, programs } of WAYS) {
  test(`a house that is written to is copied with ${way}, twice, and comes back whole`, needs(...programs), async (t) => {
    const { house, place, backup } = await houseAndPlace(t);
    await add(house, 'before the first copy');
    await backup(way, house.data, place);
    await add(house, 'between the copies');
    const writer = writeOn(house);
    const said = await backup(way, house.data, place);
    await writer.stop();
    assert.match(said, /copied to .*, with the snapshot \S+/);
    await add(house, 'after the last copy');

    const back = join(await newFolder(t), 'back');
    await backup('restore', way, place, back);
    await assert.rejects(backup('restore', way, place, back), /is not empty: nothing is put over what is there/);
    const again = await openHouse(t, { folder: back });
    const titles = await todos(again);
    for (const title of ['before the first copy', 'between the copies']) assert.ok(titles.includes(title), title);
    assert.ok(!titles.includes('after the last copy'));
    assert.equal(await again.stop(), 0);
  });
}

test('a copy in which a byte has changed on its way does not count', needs('rsync'), async (t) => {
  const { house, place, backup } = await houseAndPlace(t);
  await add(house, 'milk');
  // An rsync whose first work ends up damaged on the other disk.
  const bin = await newFolder(t);
  const real = (await run('sh', ['-c', 'command -v rsync'])).trim();
  await writeFile(join(bin, 'rsync'), `#!/bin/sh
    ${real} "$@"
    [ -d ${place}/backups ] && [ ! -e ${bin}/done ] || exit 0
    touch ${bin}/done
    for copy in ${place}/backups/*.redb; do
      chmod u+w "$copy"; printf x | dd of="$copy" bs=1 seek=9000 conv=notrunc 2>/dev/null
    done\n`);
  await chmod(join(bin, 'rsync'), 0o755);
  const failing = backup('rsync', house.data, place, { PATH: `${bin}:${process.env.PATH}` });
  await assert.rejects(failing, /did not come over whole/);
});

test('a folder that is no house, or a house whose snapshot fails, is never copied over a good copy', needs('rsync'), async (t) => {
  const { house, place, backup } = await houseAndPlace(t);
  await backup('rsync', house.data, place);
  const good = await readFile(join(place, 'hanok.redb'));
  await assert.rejects(backup('rsync', await newFolder(t), place), /no data folder of hanok/);
  await assert.rejects(backup('rsync', house.data, place, { HANOK: '/bin/false' }));
  assert.ok(good.equals(await readFile(join(place, 'hanok.redb'))));
});

for (const { way, programs } of WAYS) {
  test(`a copy of one house is never given up for another that lies in its place, with ${way}`, needs(...programs), async (t) => {
    const { house, place, backup } = await houseAndPlace(t);
    await add(house, 'milk');
    await backup(way, house.data, place);
    const other = await openHouse(t);
    await add(other, 'another house');
    await assert.rejects(backup(way, other.data, place), /holds no copy of this house: nothing was copied/);
    const back = join(await newFolder(t), 'back');
    await backup('restore', way, place, back);
    assert.deepEqual(await todos(await openHouse(t, { folder: back })), ['milk']);
  });
}

test('what lies at the place and is no copy of the house stays', needs('rsync'), async (t) => {
  const { house, place, backup } = await houseAndPlace(t);
  await mkdir(place);
  await writeFile(join(place, 'photo.jpg'), 'a photo');
  await assert.rejects(backup('rsync', house.data, place), /holds no copy of this house/);
  for (const inOneAnother of [join(house.data, 'backups'), join(house.data, 'copies'), dirname(house.data), house.data]) {
    await assert.rejects(backup('rsync', house.data, inOneAnother), /lie in one another: nothing was copied/);
  }
  assert.equal(await readFile(join(place, 'photo.jpg'), 'utf8'), 'a photo');
});

test('wrong words are answered with the right ones', async () => {
  await assert.rejects(run(path('examples/backup.sh'), ['tape', 'a', 'b']), /ended with 2:\nbackup\.sh rsync +DATA TARGET/);
});

/** A running house, a place for its copies on another disk, and the script. */
async function houseAndPlace(t) {
  const folder = await newFolder(t);
  await writeFile(join(folder, 'password'), 'a password of restic\n');
  await mkdir(join(folder, 'copies'));
  const house = await openHouse(t);
  const own = { HANOK: BINARY, RESTIC_PASSWORD_FILE: join(folder, 'password'), RESTIC_CACHE_DIR: join(folder, 'cache') };
  const backup = (...words) => {
    const further = typeof words.at(-1) === 'object' ? words.pop() : {};
    return run(path('examples/backup.sh'), words, { env: { ...ENVIRONMENT, ...own, ...further } });
  };
  return { house, place: join(folder, 'copies', 'house'), backup };
}

async function add(house, title) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${house.household}/api/todos`, { method: 'POST', headers, body: JSON.stringify({ title }) });
  assert.equal(answer.status, 201);
}

async function todos(house) {
  const answer = await fetch(`${house.household}/api/todos?limit=500`);
  return (await answer.json()).todos.map((todo) => todo.title);
}

/** Adds one todo after the other until it is told to stop. */
function writeOn(house) {
  let goesOn = true;
  const written = (async () => {
    for (let turn = 0; goesOn; turn += 1) await add(house, `meanwhile ${turn}`);
  })();
  return {
    stop: () => {
      goesOn = false;
      return written;
    },
  };
}
