/** The draw of which something is shown, in the page's address: `?draw=1245`; without it the newest. */

import { asApiError } from '../../../lib/api';
import { param, setParam } from '../../../lib/router.svelte';

export function askedDraw(): number | undefined {
  const asked = Number(param('draw') ?? '');
  return Number.isInteger(asked) && asked >= 1 ? asked : undefined;
}

/** Whether there is nothing of the draw that was asked for. */
export function isNoneOf(asked: number | undefined, error: unknown): asked is number {
  return asked !== undefined && error !== undefined && asApiError(error).code === 'NOT_FOUND';
}

/** One that was replaced, of the draw that was asked for when it was chosen. */
export interface Chosen {
  asked: number | undefined;
  draw_no: number;
  id: number;
}

export function askDraw(draw_no: number | undefined): void {
  setParam('draw', draw_no);
}
