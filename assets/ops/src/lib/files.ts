/** Files of the app that come when they are first needed. */

import { api, ApiError, call, isSilent } from './api';

const PATIENCE_MS = 20_000;
/** So long where nothing is heard of the server: what is kept on this device comes at once, and the rest does not. */
const LITTLE_PATIENCE_MS = 2_000;

/** A file by its `load`, such as `() => import('./Page.svelte')`; throws an `ApiError` that says what is away: the house, or this file alone. */
export async function fetchFile<T>(load: () => Promise<T>): Promise<T> {
  let waited = 0;
  let limit: ReturnType<typeof setInterval> | undefined;
  const silence = new Promise<never>((_, reject) => {
    limit = setInterval(() => {
      waited += LITTLE_PATIENCE_MS;
      if (isSilent() || waited >= PATIENCE_MS) reject(new ApiError('SILENT', 0, ''));
    }, LITTLE_PATIENCE_MS);
  });
  try {
    return await Promise.race([load(), silence]);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    await call(api.GET('/api/household'));
    throw new ApiError('FILE_MISSING', 0, '');
  } finally {
    clearInterval(limit);
  }
}

/**
 * Opens an address of the app anew, or this one, once the house answers; throws why it does not. A browser never asks again
 * for a file that did not come, and the loader not for its stylesheet: only a new page has both.
 */
export async function startAnew(address = location.href): Promise<never> {
  await call(api.GET('/api/household'));
  const { href, pathname, search } = new URL(address, location.origin);
  if (pathname + search === location.pathname + location.search) {
    // To another part of the same page a browser goes without a new page.
    history.replaceState(history.state, '', href);
    location.reload();
  } else location.assign(href);
  return new Promise<never>(() => undefined);
}
