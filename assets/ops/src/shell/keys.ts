/** What keys do wherever somebody is, beside the shortcuts: in windows, lists and charts. */

import type { PageKeys } from '../lib/section';

export const KEYS: PageKeys[] = [
  { keys: ['↑', '↓', 'Enter'], name: 'shell.keys.choose' },
  { keys: ['Esc'], name: 'shell.keys.close' },
  { keys: ['←', '→', '↑', '↓', 'Home', 'End'], name: 'shell.keys.chart' },
  { keys: ['PageUp', 'PageDown'], name: 'shell.keys.chart.far' },
];
