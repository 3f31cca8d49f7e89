/**
 * Keeps the shell of the app and the pages that were visited, so that they open also while the server is away; no file is
 * fetched for this alone. The server comes first: what it answers is shown, and only where it says nothing what was kept is.
 * What people read is not here but in `lib/seen.ts`, which knows who is signed in. `build/service-worker.ts` puts before it
 * `VERSION`, which tells this build from others, `FIRST`, what every page begins with, and `FILES`, all of them.
 */

const SHELL = `hanok-shell-${VERSION}`;
const PATIENCE_MS = 4_000;
/** Who has a page waits no longer for another: a server that hangs is not seen by its silence alone. */
const SOON_MS = 1_000;
/** As long as a page takes that was opened without the server: its files are not waited for one by one. */
const AWAY_MS = 10_000;
/** What a proxy says while the server is away. */
const AWAY = [502, 503, 504];
/** What is no page of the app. */
const OTHERS = /^\/(api|health|metrics)(\/|$)/;

addEventListener('install', (event) => event.waitUntil(keepShell()));
addEventListener('message', (event) => event.waitUntil(keep(event.data.filter((file) => FILES.includes(file)))));
addEventListener('activate', (event) => event.waitUntil(takeOver()));
addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== location.origin || OTHERS.test(pathname)) return;
  if (mode === 'navigate') event.respondWith(page(event.request));
  else if (FILES.includes(pathname)) event.respondWith(file(event));
});

async function keepShell() {
  const visited = await stemsKept();
  await keep(FILES.filter((file) => FIRST.includes(file) || visited.has(stemOf(file))));
  await skipWaiting();
}

/** Keeps these files, where they are not yet. */
async function keep(files) {
  const shell = await caches.open(SHELL);
  const known = new Set((await shell.keys()).map(({ url }) => new URL(url).pathname));
  // A file with a hash in its name is the same wherever it comes from; any other is asked for anew.
  const missing = files.filter((file) => !known.has(file));
  await shell.addAll(missing.map((file) => new Request(file, { cache: file.startsWith('/assets/') ? 'default' : 'no-cache' })));
}

/** What an earlier version has kept, under the names that its files share with those of this one. */
async function stemsKept() {
  const names = (await caches.keys()).filter((name) => name.startsWith('hanok-shell-'));
  const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return new Set(all.flat().map(({ url }) => stemOf(new URL(url).pathname)));
}

function stemOf(file) {
  return file.replace(/-[\w-]{8}(?=\.\w+$)/, '');
}

async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith('hanok-shell-') && name !== SHELL).map((name) => caches.delete(name)));
  await clients.claim();
}

async function page(request) {
  const asked = fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
  // Whoever was shown what is kept does not wait for it any more.
  asked.catch(() => undefined);
  try {
    const soon = await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, SOON_MS))]);
    if (soon && !AWAY.includes(soon.status)) return soon;
    return (await keptPage()) ?? (await asked);
  } catch (cause) {
    const shell = await keptPage();
    if (shell) return shell;
    throw cause;
  }
}

let awayUntil = 0;

async function keptPage() {
  const shell = await kept('/');
  if (shell) awayUntil = Date.now() + AWAY_MS;
  return shell;
}

async function file(event) {
  const { pathname } = new URL(event.request.url);
  const isSure = pathname.startsWith('/assets/') || Date.now() < awayUntil;
  const known = isSure ? await kept(pathname) : undefined;
  if (known) return known;
  const answer = await fetch(event.request);
  if (answer.ok && pathname.startsWith('/assets/')) {
    const copy = answer.clone();
    event.waitUntil(caches.open(SHELL).then((shell) => shell.put(pathname, copy)));
  }
  return answer;
}

async function kept(pathname) {
  return (await caches.open(SHELL)).match(pathname);
}
