/**
 * Finds the draw whose number was typed (`1245`, `#1245`, the number with its counter or with the word for a draw before it), purchases and
 * recommendations by their notes and numbers, and reports, briefings and reviews by their draw, day and title.
 */

import { api, asApiError, call } from '../../lib/api';
import { askWhileTyping, findOnServer, foundBy, type Hit } from '../../lib/found.svelte';
import { t } from '../../lib/i18n.svelte';
import type { Found, Search } from '../../lib/section';
import { drawNamed } from './draw-word';
import DrawLine from './DrawLine.svelte';
import type { Draw } from './types';

const MOST = 4;

export default [
  { name: 'lottery.palette.draws', example: 'lottery.palette.example', exact: true, begin },
  { name: 'lottery.palette.records', example: 'lottery.palette.note', begin: beginRecords },
  { name: 'lottery.palette.written', example: 'lottery.palette.example', begin: beginWritten },
] satisfies Search[];

function begin(query: () => string): ReturnType<Search['begin']> {
  const asked = askWhileTyping(
    () => drawNamed(query())?.toString(),
    async (number): Promise<Draw | undefined> => {
      try {
        return await call(api.GET('/api/lotto/draws/{draw_no}', { params: { path: { draw_no: Number(number) } } }));
      } catch (cause) {
        // A number that is no draw has no entry; the palette then says that nothing was found.
        if (['NOT_FOUND', 'INVALID_INPUT'].includes(asApiError(cause).code)) return undefined;
        throw cause;
      }
    },
  );
  return foundBy([asked], () => {
    const draw = asked.data;
    if (!draw) return [];
    const name = t('lottery.palette.draw', { n: draw.draw_no });
    return [{ id: draw.draw_no, name, picture: { component: DrawLine, props: { name, draw } }, open: `/lottery/statistics?draw=${draw.draw_no}` }];
  });
}

function beginRecords(query: () => string): ReturnType<Search['begin']> {
  const purchases = findOnServer(query, 'purchase', MOST);
  const given = findOnServer(query, 'recommendation', MOST);
  return foundBy([purchases, given], () => [
    ...purchases.hits.map((hit) => asFound(hit, hit.title ? '' : t('lottery.palette.games', { count: hit.count ?? 0 }), t('lottery.palette.bought', { n: hit.number ?? 0 }))),
    ...given.hits.map((hit) => asFound(hit, '', t('lottery.palette.given', { n: hit.number ?? 0 }))),
  ]);
}

function beginWritten(query: () => string): ReturnType<Search['begin']> {
  const reports = findOnServer(query, 'lottery_report', MOST);
  const briefings = findOnServer(query, 'lottery_briefing', MOST);
  const reviews = findOnServer(query, 'lottery_review', MOST);
  return foundBy([reports, briefings, reviews], () => [
    ...reports.hits.map((hit) => asFound(hit, t('lottery.palette.report_of', { n: hit.id }))),
    ...briefings.hits.map((hit) => asFound(hit, t('lottery.palette.briefing_of', { n: hit.id }))),
    ...reviews.hits.map((hit) => asFound(hit, t('lottery.palette.review_of', { n: hit.id }))),
  ]);
}

/** A hit by the name that is given, or by its title with what was looked for in it. */
function asFound(hit: Hit, name: string, hint = ''): Found {
  return { id: `${hit.kind}-${hit.id}`, name: name || hit.title, ...(name === '' && { pieces: hit.marked }), hint, open: hit.leads_to };
}
