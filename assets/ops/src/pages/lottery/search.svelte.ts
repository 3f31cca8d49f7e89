/**
 * Finds the draw whose number was typed (`1245`, `#1245`, the number with its Korean counter), purchases and
 * recommendations by their notes and numbers, and reports, briefings and reviews by their draw, day and title.
 */

import { api, asApiError, call } from '../../lib/api';
import { askWhileTyping, findOnServer, together } from '../../lib/found.svelte';
import { t } from '../../lib/i18n.svelte';
import type { Found, Search } from '../../lib/section';
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
    () => /^#?(\d{1,5})\p{L}*$/u.exec(query().trim())?.[1],
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
  return {
    get found(): Found[] {
      const draw = asked.data;
      if (!draw) return [];
      const name = t('lottery.palette.draw', { n: draw.draw_no });
      return [{ id: draw.draw_no, name, picture: { component: DrawLine, props: { name, draw } }, open: `/lottery/statistics?draw=${draw.draw_no}` }];
    },
    get asking() {
      return asked.asking;
    },
    get failed() {
      return asked.failed;
    },
  };
}

function beginRecords(query: () => string): ReturnType<Search['begin']> {
  const purchases = findOnServer(query, 'purchase', MOST);
  const given = findOnServer(query, 'recommendation', MOST);
  return {
    get found(): Found[] {
      return [
        ...purchases.hits.map(({ id, title, count, number }) => ({ id: `purchase-${id}`, name: title || t('lottery.palette.games', { count: count ?? 0 }), hint: t('lottery.palette.bought', { n: number ?? 0 }), open: '/lottery/purchases' })),
        ...given.hits.map(({ id, title, number }) => ({ id: `given-${id}`, name: title, hint: t('lottery.palette.given', { n: number ?? 0 }), open: '/lottery/history' })),
      ];
    },
    get asking() {
      return together([purchases, given]).asking;
    },
    get failed() {
      return together([purchases, given]).failed;
    },
  };
}

function beginWritten(query: () => string): ReturnType<Search['begin']> {
  const reports = findOnServer(query, 'lottery_report', MOST);
  const briefings = findOnServer(query, 'lottery_briefing', MOST);
  const reviews = findOnServer(query, 'lottery_review', MOST);
  return {
    get found(): Found[] {
      return [
        ...reports.hits.map(({ id }) => ({ id: `report-${id}`, name: t('lottery.palette.report_of', { n: id }), open: `/lottery/reports?draw=${id}` })),
        ...briefings.hits.map(({ id }) => ({ id: `briefing-${id}`, name: t('lottery.palette.briefing_of', { n: id }), open: `/lottery/reports/briefing?draw=${id}` })),
        ...reviews.hits.map(({ id }) => ({ id: `review-${id}`, name: t('lottery.palette.review_of', { n: id }), open: `/lottery/reports/review?draw=${id}` })),
      ];
    },
    get asking() {
      return together([reports, briefings, reviews]).asking;
    },
    get failed() {
      return together([reports, briefings, reviews]).failed;
    },
  };
}
