/** Finds settings by their names, what they are for and their keys, in both languages. */

import { api, call } from '../../lib/api';
import { currentLanguage, t } from '../../lib/i18n.svelte';
import { Resource } from '../../lib/resource.svelte';
import type { Found, Search } from '../../lib/section';
import { fitting } from './fitting';

const MOST = 5;
/** One letter fits nearly every explanation. */
const SHORTEST = 2;

export default { name: 'system.palette.all_settings', example: 'system.palette.example', begin } satisfies Search;

function begin(query: () => string): ReturnType<Search['begin']> {
  const list = new Resource(() => call(api.GET('/api/system/settings')), '/api/system/settings');
  const isWanted = $derived(query().trim().length >= SHORTEST);
  $effect(() => {
    if (isWanted) list.visit();
  });
  return {
    get found(): Found[] {
      if (!isWanted) return [];
      const all = fitting(list.data?.settings ?? [], query());
      const first = all.slice(0, MOST).map(({ key, name }): Found => (
        { id: key, name: name[currentLanguage()], icon: 'settings', hint: key, open: `/system/settings?find=${key}` }));
      if (all.length <= MOST) return first;
      const rest = t('system.palette.more_settings', { count: all.length - MOST });
      return [...first, { id: 'more', name: rest, icon: 'settings', open: `/system/settings?find=${encodeURIComponent(query().trim())}` }];
    },
    get asking() {
      return isWanted && list.waiting;
    },
    get failed() {
      return isWanted && list.error !== undefined;
    },
  };
}
