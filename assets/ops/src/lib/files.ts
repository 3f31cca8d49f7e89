/** Files of the app that come when they are first needed. */

import { api, ApiError, call } from './api';

/** A file by its `load`, such as `() => import('./Page.svelte')`; throws an `ApiError` when it does not come. */
export async function fetchFile<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    throw new ApiError('OFFLINE', 0, '');
  }
}

/**
 * Opens an address of the app anew, or this one, once the house answers; throws why it does not. A browser never asks again
 * for a file that did not come, and the loader not for its stylesheet: only a new page has both.
 */
export async function startAnew(address?: string): Promise<never> {
  await call(api.GET('/api/household'));
  if (address === undefined) location.reload();
  else location.assign(address);
  return new Promise<never>(() => undefined);
}

/** Does it when the browser has nothing else to do, or soon where a browser does not say. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work);
  else setTimeout(work, 1_000);
}
