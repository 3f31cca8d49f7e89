/** Finds the draw whose number was typed (`1245`, `#1245`, the number with its Korean counter). */

import { api, call } from '../../lib/api';
import { t } from '../../lib/i18n.svelte';
import type { Found, Search } from '../../lib/section';
import DrawLine from './DrawLine.svelte';
import type { Draw } from './types';

const TYPING_PAUSE_MS = 180;

export default { name: 'lottery.palette.draws', example: 'lottery.palette.example', exact: true, begin } satisfies Search;

function begin(query: () => string): ReturnType<Search['begin']> {
  let draw = $state.raw<Draw>();
  const wanted = $derived(/^#?(\d{1,5})\p{L}*$/u.exec(query().trim())?.[1]);
  $effect(() => {
    draw = undefined;
    if (!wanted) return;
    const draw_no = Number(wanted);
    let left = false;
    const timer = setTimeout(async () => {
      // A number that is no draw has no entry; the palette then says that nothing was found.
      const answer = await call(api.GET('/api/lotto/draws/{draw_no}', { params: { path: { draw_no } } })).catch(() => undefined);
      if (!left) draw = answer;
    }, TYPING_PAUSE_MS);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  });
  return {
    get found(): Found[] {
      if (!draw) return [];
      const name = t('lottery.palette.draw', { n: draw.draw_no });
      return [{ id: draw.draw_no, name, picture: { component: DrawLine, props: { name, draw } }, open: `/lottery/statistics?draw=${draw.draw_no}` }];
    },
  };
}
