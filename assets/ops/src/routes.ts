/** Every page of the app and its address, as the sections declare them. A page is loaded when it is first visited, its sentences with it. */

import type { Component } from 'svelte';
import { fetchFile, startAnew } from './lib/files';
import { whileGoing } from './lib/going.svelte';
import { loadMessages, type MessageKey } from './lib/i18n.svelte';
import { sayNotLoaded } from './lib/not-loaded';
import { go, type Place, type Places } from './lib/router.svelte';
import { pageOf, SECTIONS, sectionOf, type ListedSection } from './sections';
import Bounded from './shell/Bounded.svelte';

const LOADERS = new Map(SECTIONS.map((section) => [section.room, loaderOf(section)]));
const NOWHERE = inBounds('shell.not_found.title', () => import('./pages/NotFound.svelte'));

export const PLACES: Places = {
  load: (pathname) => whileGoing(() => load(pathname)),
  missed: (_, { href }) => void whileGoing(() => startAnew(href)).catch(sayNotLoaded),
};

/** Goes to an address of the app, with its query and its hash; with `replace` in the place of this one in the browser's history. */
export function open(address: string, { replace = false } = {}): void {
  void go(new URL(address, location.origin), replace);
}

/** Asks for what the page at an address is made of, so that it is on its way before it is to be shown; what does not come is asked for again then. */
export async function preload(pathname: string): Promise<void> {
  await load(pathname).catch(() => undefined);
}

async function load(pathname: string): Promise<Place> {
  const section = sectionOf(pathname);
  return (section && (await LOADERS.get(section.room)?.(pathname))) ?? { components: [await NOWHERE()], params: {} };
}

/** Loads the pages of a section and the frame around them, each in its bounds, with what they say; undefined for an address that is none of them. */
function loaderOf(section: ListedSection): (pathname: string) => Promise<Place> | undefined {
  const { room, name, page, inner = [], frame } = section;
  const pages = new Map([{ path: '/', name, page }, ...inner].map((one) => [one.path, inBounds(one.name, one.page)]));
  const around = frame && inBounds(name, frame);
  return (pathname) => {
    const found = pageOf(section, pathname);
    const inside = found && pages.get(found.path);
    const parts = inside && [...(around ? [around()] : []), inside()];
    return parts && Promise.all([fetchFile(() => loadMessages(room)), ...parts]).then(([, ...components]) => ({ components, params: found.params }));
  };
}

/** Loads a page or a frame, whose failure is its own. */
function inBounds(name: MessageKey, file: () => Promise<{ default: Component<any> }>): () => Promise<Component<any>> {
  let loaded: Component<any> | undefined;
  const shown: Component<any> = (anchor, { children, ...params }) => Bounded(anchor, { children, params, shown: loaded, name });
  return async () => {
    loaded ??= (await fetchFile(file)).default;
    return shown;
  };
}
