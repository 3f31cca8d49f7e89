/** Every page of the app and its address, as the sections declare them. A page is loaded when it is first visited, its sentences with it. */

import { createRouter, type Routes } from 'sv-router';
import { loadMessages } from './lib/i18n.svelte';
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

function routesOf({ room, page, inner = [], frame }: ListedSection): Routes {
  const speak = () => loadMessages(room);
  return {
    '/': page,
    ...Object.fromEntries(inner.map((one) => [one.path, one.page])),
    ...(frame ? { layout: frame } : {}),
    hooks: { beforeLoad: speak, onPreload: speak },
  };
}
