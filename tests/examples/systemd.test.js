/** The unit, read by systemd itself. */

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { BINARY, newFolder } from '../browser/house.js';
import { changed, needs, path, run, text } from './tools.js';

/** How exposed the unit may be, of 100: systemd calls up to 20 safe. What is left is that it talks to the network. */
const MOST_EXPOSED = 15;

test('systemd understands every line of the unit', needs('systemd-analyze'), async (t) => {
  const unit = join(await newFolder(t), 'hanok.service');
  // It looks for the program, which is installed on a NAS and not here.
  await writeFile(unit, changed(await text('examples/hanok.service'), [['/usr/local/bin/hanok ', `${BINARY} `]]));
  assert.equal(await run('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', unit]), '');
});

test(`systemd finds the unit exposed by at most ${MOST_EXPOSED} of 100`, needs('systemd-analyze'), async () => {
  const unit = path('examples/hanok.service');
  const said = await run('systemd-analyze', ['security', '--no-pager', '--offline=true', `--threshold=${MOST_EXPOSED}`, unit]);
  assert.match(said, /Overall exposure level/);
});
