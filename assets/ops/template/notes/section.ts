/** Notes: the smallest section there can be, to be copied to `src/pages`. A test adds it and uses it. */

import type { Section } from '../../lib/section';
import type notes from './messages/notes.ko.json';
import type shell from './messages/shell.ko.json';

export default {
  path: '/notes',
  name: 'notes.name',
  icon: 'edit',
  order: 30,
  keys: 'g n',
  page: () => import('./Notes.svelte'),
  actions: [{ name: 'notes.action.write', icon: 'plus', open: '/notes?new=1' }],
} satisfies Section;

declare module '../../lib/i18n.svelte' {
  interface Catalogues { notes: typeof notes & typeof shell }
}
