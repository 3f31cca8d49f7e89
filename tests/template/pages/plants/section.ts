/** Plants: what needs water. */

import type { Section } from '../../lib/section';
import type plants from './messages/plants.ko.json';
import type shell from './messages/shell.ko.json';

export default {
  path: '/plants',
  name: 'plants.name',
  icon: 'sun',
  order: 25,
  keys: 'g p',
  page: () => import('./Plants.svelte'),
} satisfies Section;

declare module '../../lib/i18n.svelte' {
  interface Catalogues { plants: typeof plants & typeof shell }
}

declare module '../../lib/events.svelte' {
  interface Subjects { plants: true }
}
