/** Every page of the app and its address, as the sections declare them. A page is loaded when it is first visited, its sentences with it. */

import type { Component } from 'svelte';
import { createRouter, type Routes } from 'sv-router';
import { fetchFile, startAnew } from './lib/files';
import { whileGoing } from './lib/going.svelte';
import { loadMessages, t, type MessageKey } from './lib/i18n.svelte';
import { missPage } from './lib/missed.svelte';
import { sentence } from './lib/problems';
import { toastProblem } from './lib/toasts.svelte';
import { SECTIONS, sectionOf, type ListedSection } from './sections';
import Bounded from './shell/Bounded.svelte';

const PLACES = new Map(SECTIONS.map((section) => [section.room, placesOf(section)]));

export const { navigate, route } = createRouter({
  ...Object.fromEntries(SECTIONS.map((section) => [section.path, routesOf(section)])),
  '*': () => import('./pages/NotFound.svelte'),
} as Routes);

/** Goes to an address of the app, with its query and its hash; with `replace` in the place of this one in the browser's history. */
export function open(address: string, { replace = false } = {}): void {
  const { pathname, search, hash } = new URL(address, location.origin);
  void navigate(pathname as `/${string}`, { search, hash, replace });
}

/** Asks for what the page at an address is made of, so that it is on its way before the router asks; that one says what did not come. */
export async function preload(pathname: string): Promise<void> {
  const section = sectionOf(pathname);
  if (section) await PLACES.get(section.room)?.load(pathname).catch(() => undefined);
}

type Place = { shown: Component<any>; load: () => Promise<void> };

/** The pages of a section and the frame around them, each in its bounds; `load` asks for all that one of them needs. */
function placesOf({ room, path, name, page, inner = [], frame }: ListedSection) {
  const pages = new Map<string, Place>([{ path: '/', name, page }, ...inner].map((one) => [one.path, inBounds(one.name, one.page)]));
  const around = frame && inBounds(name, frame);
  const load = async (pathname: string) => {
    const inside = pathname.slice(path === '/' ? 0 : path.length).replace(/\/$/, '') || '/';
    await Promise.all([fetchFile(() => loadMessages(room)), pages.get(inside)?.load(), around?.load()]);
  };
  return { pages, around, load };
}

/** The place of a page or a frame, whose failure is its own; its file is loaded before it is shown. */
function inBounds(name: MessageKey, file: () => Promise<{ default: Component<any> }>): Place {
  let loaded: Component<any> | undefined;
  return {
    shown: (anchor, props) => Bounded(anchor, { ...props, shown: loaded, name }),
    load: async () => {
      loaded ??= (await fetchFile(file)).default;
    },
  };
}

function routesOf({ room }: ListedSection): Routes {
  const { pages, around, load: loadAll } = PLACES.get(room)!;
  // The router waits for ever for a file that does not come, so the files are there before it shows the place.
  const load = async ({ pathname }: { pathname: string }) => {
    await whileGoing(() => loadAll(pathname));
    missPage(undefined);
  };
  const say = (cause: unknown) => toastProblem(`${t('shell.not_loaded')} ${sentence(cause)}`);
  const leave = (error: unknown, { pathname, search = {}, hash = '' }: Left) => {
    // Opened by its address, or gone back to: the browser is there already.
    if (pathname === location.pathname) missPage({ pathname, error });
    else void whileGoing(() => startAnew(pathname + asked(search) + hash)).catch(say);
  };
  return {
    ...Object.fromEntries([...pages].map(([path, { shown }]) => [path, shown])),
    ...(around ? { layout: around.shown } : {}),
    // What does not come ahead of its time is asked for again when it is visited.
    hooks: { beforeLoad: load, onPreload: ({ pathname }) => preload(pathname), onError: leave },
  };
}

type Left = { pathname: string; search?: Record<string, unknown>; hash?: string };

/** A query as it stands in an address. */
function asked(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).map(([name, value]) => [name, String(value)]);
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
}
