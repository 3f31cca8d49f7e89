/** What stands before the first page, in an app with thirteen sections: nine of them are made up for this test, as large as those of a household. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildApp, section, shellOf } from './app.js';
import { SECTIONS } from './browser.js';

/** What the shell may take today, without the sentences of its language; and with as many sections as a household will have. */
const MOST = 38_000;
const MOST_OF_THIRTEEN = 40_000;
/** What a section may add to it, with its own page, its frame and three pages within. */
const MOST_OF_ONE = 300;

/** Nouns that no section of a household will have. Each is drawn by a hand of its own and calls its pages by their own names. */
const MADE_UP = [
  ['mint', 'M4 9h16M7 9V5.5h10V9M6 13.5 9.5 20h5l3.5-6.5', ['coins', 'dies', 'vault']],
  ['caravan', 'M3.5 15.5c2-6 5.5-7 8.5-3s6.5 3 8.5-3M7 18.2h.01M17 18.2h.01', ['routes', 'camels', 'wells']],
  ['harbour', 'M12 4.5v15M6.5 12.5c0 4 2.5 7 5.5 7s5.5-3 5.5-7M9 8h6', ['berths', 'tides', 'cranes']],
  ['quarry', 'M3 19 9.5 6.5l4 6 2-3.5L21 19Z', ['seams', 'blasts', 'lorries']],
  ['beehives', 'M8 4.8h8l3.6 6.4L16 17.6H8l-3.6-6.4Z', ['queens', 'swarms', 'honey']],
  ['organ', 'M5 20V8.5M9 20V5M13 20V7M17 20v-9.5M3.5 20h17', ['stops', 'pipes', 'bellows']],
  ['gazette', 'M5 4.5h11v15H5zM16 9h3.5v8.5c0 2-3.5 2-3.5 0', ['notices', 'decrees', 'errata']],
  ['foundry', 'M4 20V11l5 3.5V11l5 3.5V5.5h4.5V20Z', ['moulds', 'alloys', 'castings']],
  ['lighthouse', 'M9.5 20 11 8.5h2L14.5 20M8.5 8.5h7M12 4v1.5M5 6.5l2.5 1M19 6.5l-2.5 1', ['lamps', 'keepers', 'wrecks']],
];

function madeUp([room, icon, pages], index) {
  const inner = pages.map((page) => `{ path: '/${page}', name: '${room}.palette.${page}', page: () => import('./${page}.svelte') }`);
  const files = Object.fromEntries(pages.map((page) => [`pages/${room}/${page}.svelte`, styled(page)]));
  return {
    ...section(room, {
      name: `${room}.name`, icon, group: ['money', 'everyday', 'work'][index % 3], order: 30 + index * 7, keys: `g ${index}`,
      more: `frame: () => import('./Frame.svelte'), inner: [${inner}],`,
      offers: `
        words: '${room}.palette.words', pageName: '${room}.palette.own',
        badge: { changes: ['${room}'], count: (today) => today.${room}.${pages[0]}_count, name: '${room}.badge' },
        actions: [
          { name: '${room}.action.add', words: '${room}.action.add.words', icon: 'plus', keys: '${room[0]}', open: '/${room}?new=1' },
          { name: '${room}.action.look', words: '${room}.action.look.words', icon: 'find', open: '/${room}/${pages[1]}?all=1' },
        ],`,
    }),
    ...files,
    [`pages/${room}/Page.svelte`]: styled(room),
    [`pages/${room}/Frame.svelte`]: `<script>let { children } = $props();</script><div class="${room}">{@render children()}</div><style>.${room} { display: grid; gap: var(--gap-${1 + (index % 6)}); }</style>`,
  };
}

const styled = (name) => `<script>import Card from '../../lib/components/Card.svelte';</script><h1 class="${name}">${name}</h1><Card title="${name}">${name}</Card><style>.${name} { letter-spacing: .0${name.length}em; }</style>`;

test('the shell is small, each section adds little to it, and what thirteen offer on every page comes later', async (t) => {
  const today = await shellOf(await buildApp(t, {}));
  const later = await shellOf(await buildApp(t, Object.assign({}, ...MADE_UP.map(madeUp))));
  const each = (later.bytes - today.bytes) / MADE_UP.length;
  t.diagnostic(`${today.bytes} bytes with ${SECTIONS.length} sections, ${later.bytes} with ${MADE_UP.length} more, ${Math.round(each)} of each`);
  assert.equal(today.files.length, 2);
  assert.deepEqual([today.bytes < MOST, each < MOST_OF_ONE, later.bytes < MOST_OF_THIRTEEN], [true, true, true]);
});
