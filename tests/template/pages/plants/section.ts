/** Plants: what needs water. */

import type { Section } from '../../lib/section';
import type plants from './messages/plants.ko.json';
import type shell from './messages/shell.ko.json';
import type todayPart from './messages/today.ko.json';
import type windows from './messages/windows.ko.json';

export default {
  path: '/plants',
  name: 'plants.name',
  icon: 'M12 21v-9M12 12C12 7.5 8.5 5 4 5c0 4.5 3.5 7 8 7ZM12 14.5c0-4 3-6 8-6 0 4-3 6-8 6Z',
  group: 'everyday',
  order: 25,
  keys: 'g p',
  page: () => import('./Plants.svelte'),
} satisfies Section;

declare module '../../lib/i18n.svelte' {
  interface Catalogues { plants: typeof plants & typeof shell & typeof todayPart & typeof windows }
}

declare module '../../lib/events.svelte' {
  interface Subjects { plants: true }
}
