/** Today: what needs the household now. */

import type { Section } from '../../lib/section';
import type shell from './messages/shell.ko.json';
import type today from './messages/today.ko.json';
import type windows from './messages/windows.ko.json';

export default {
  path: '/',
  name: 'today.name',
  icon: 'M4 11.5 12 5l8 6.5M6 10.5V19h12v-8.5M10 19v-4.5h4V19',
  group: 'first',
  order: 0,
  keys: 'g d',
  page: () => import('./Today.svelte'),
} satisfies Section;

declare module '../../lib/i18n.svelte' {
  interface Catalogues { today: typeof today & typeof shell & typeof windows }
}
