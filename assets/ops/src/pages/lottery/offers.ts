/** What the lottery offers on every page. */

import type { Offers } from '../../lib/section';
import { fetchDraws, OPERATOR } from './operator';

export default {
  pageName: 'lottery.palette.recommend',
  words: 'lottery.palette.words',
  innerWords: {
    '': 'lottery.palette.recommend.words', '/statistics': 'lottery.palette.statistics.words',
    '/purchases': 'lottery.palette.purchases.words', '/simulate': 'lottery.palette.simulate.words',
  },
  providers: [{ name: OPERATOR, fetch: fetchDraws, done: 'lottery.action.syncing' }],
  pageKeys: [
    { keys: ['←', '→', 'Home', 'End'], name: 'lottery.keys.tabs' },
    { keys: ['←', '→', '↑', '↓'], name: 'lottery.keys.numbers' },
  ],
  actions: [
    { name: 'lottery.action.sync', icon: 'refresh', run: fetchDraws, done: 'lottery.action.syncing' },
    { name: 'lottery.action.combine', words: 'lottery.action.combine.words', icon: 'repeat', open: '/lottery?combine=1' },
    { name: 'lottery.action.scan', words: 'lottery.action.scan.words', icon: 'find', open: '/lottery/purchases?add=qr' },
    { name: 'lottery.action.table', words: 'lottery.action.table.words', icon: 'machine', open: '/lottery/purchases?add=table' },
    { name: 'lottery.action.export', words: 'lottery.action.table.words', icon: 'machine', open: '/lottery/purchases?export=table' },
  ],
} satisfies Offers;
