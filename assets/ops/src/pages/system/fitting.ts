/** Which settings fit what somebody types. Pure. */

import { matches } from '../../lib/search';
import type { Setting } from './types';

type Sought = Pick<Setting, 'key' | 'name' | 'about' | 'editable'>;

/** Those that fit: what is called so before what only explains itself so, and in both first what can be changed on the page. */
export function fitting<S extends Sought>(settings: S[], query: string): S[] {
  const isCalledSo = ({ key, name }: S) => matches(query, `${key} ${name.ko} ${name.en}`);
  const place = (setting: S) => (isCalledSo(setting) ? 0 : 2) + (setting.editable ? 0 : 1);
  return settings.filter(({ key, name, about }) => matches(query, `${key} ${name.ko} ${name.en} ${about.ko} ${about.en}`))
    .sort((a, b) => place(a) - place(b));
}
