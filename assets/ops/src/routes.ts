/** Every page of the app and its address, as the sections declare them. A page is loaded when it is first visited, its sentences with it. */

import type { Component } from 'svelte';
import { fetchFile, startAnew } from './lib/files';
import { whileGoing } from './lib/going.svelte';
import { loadMessages, t, type MessageKey } from './lib/i18n.svelte';
import { sentence } from './lib/problems';
import { go, type Places } from './lib/router.svelte';
import { toastProblem } from './lib/toasts.svelte';
import { SECTIONS, sectionOf, type ListedSection } from './sections';
import Bounded from './shell/Bounded.svelte';

const LOADERS = new Map(SECTIONS.map((section) => [section.room, loaderOf(section)]));
const NOWHERE = inBounds('shell.not_found.title', () => import('./pages/NotFound.svelte'));

export const PLACES: Places = {
  load: (pathname) => whileGoing(() => load(pathname)),
  missed: (_, { href }) => void whileGoing(() => startAnew(href)).catch((cause: unknown) => toastProblem(`${t('shell.not_loaded')} ${sentence(cause)}`)),
};

/** Goes to an address of the app, with its query and its hash; with `replace` in the place of this one in the browser's history. */
export function open(address: string, { replace = false } = {}): void {
  void go(new URL(address, location.origin), replace);
}

/** Asks for what the page at an address is made of, so that it is on its way before it is to be shown; what does not come is asked for again then. */
export async function preload(pathname: string): Promise<void> {
  await load(pathname).catch(() => undefined);
}

async function load(pathname: string): Promise<Component<any>[]> {
  const section = sectionOf(pathname);
  return (section && (await LOADERS.get(section.room)?.(pathname))) ?? [await NOWHERE()];
}

/** Loads the pages of a section and the frame around them, each in its bounds, with what they say; undefined for an address that is none of them. */
function loaderOf({ room, path, name, page, inner = [], frame }: ListedSection): (pathname: string) => Promise<Component<any>[]> | undefined {
  const pages = new Map([{ path: '/', name, page }, ...inner].map((one) => [one.path, inBounds(one.name, one.page)]));
  const around = frame && inBounds(name, frame);
  return (pathname) => {
    const inside = pages.get(pathname.slice(path === '/' ? 0 : path.length).replace(/\/$/, '') || '/');
    const parts = inside && [...(around ? [around()] : []), inside()];
    return parts && Promise.all([fetchFile(() => loadMessages(room)), ...parts]).then(([, ...shown]) => shown);
  };
}

/** Loads a page or a frame, whose failure is its own. */
function inBounds(name: MessageKey, file: () => Promise<{ default: Component<any> }>): () => Promise<Component<any>> {
  let loaded: Component<any> | undefined;
  const shown: Component<any> = (anchor, props) => Bounded(anchor, { ...props, shown: loaded, name });
  return async () => {
    loaded ??= (await fetchFile(file)).default;
    return shown;
  };
}
