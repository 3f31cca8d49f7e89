/** Today: what needs the household now. */

import type { Section } from '../../lib/section';
import type shell from './messages/shell.ko.json';
import type today from './messages/today.ko.json';

export default {
  path: '/',
  name: 'today.name',
  icon: 'today',
  order: 0,
  keys: 'g d',
  page: () => import('./Today.svelte'),
} satisfies Section;

declare module '../../lib/i18n.svelte' {
  interface Catalogues { today: typeof today & typeof shell }
}
