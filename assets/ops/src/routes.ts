/** Every page of the app and its address, as the sections declare them. A page is loaded when it is first visited, its sentences with it. */

import { createRouter, type Routes } from 'sv-router';
import { fetchFile, startAnew } from './lib/files';
import { loadMessages, t } from './lib/i18n.svelte';
import { sentence } from './lib/problems';
import { toastProblem } from './lib/toasts.svelte';
import { SECTIONS, type ListedSection } from './sections';

export const { navigate, preload, route } = createRouter({
  ...Object.fromEntries(SECTIONS.map((section) => [section.path, routesOf(section)])),
  '*': () => import('./pages/NotFound.svelte'),
} as Routes);

/** Goes to an address of the app, with its query and its hash. */
export function open(address: string): void {
  const { pathname, search, hash } = new URL(address, location.origin);
  void navigate(pathname as `/${string}`, { search, hash });
}

function routesOf({ room, path, page, inner = [], frame }: ListedSection): Routes {
  const speak = () => loadMessages(room);
  // The router waits for ever for a file that does not come, so its files are there before it asks for them.
  const load = async ({ pathname }: { pathname: string }) => {
    const shown = inner.find((one) => path + one.path === pathname)?.page ?? page;
    await Promise.all([speak, shown, ...(frame ? [frame] : [])].map((file) => fetchFile<unknown>(file)));
  };
  const say = (cause: unknown) => toastProblem(`${t('shell.not_loaded')} ${sentence(cause)}`);
  const leave = (cause: unknown, { pathname }: { pathname: string }) => {
    if (pathname === location.pathname) say(cause);
    else void startAnew(pathname).catch(say);
  };
  return {
    '/': page,
    ...Object.fromEntries(inner.map((one) => [one.path, one.page])),
    ...(frame ? { layout: frame } : {}),
    hooks: { beforeLoad: load, onPreload: speak, onError: leave },
  };
}
