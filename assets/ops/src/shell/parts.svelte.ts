/** Parts of the shell that come after the first page, for the places where they are shown. */

import type { Component } from 'svelte';

export type Parts = { Toasts: Component; Banners: Component; Players: Component };

let come = $state.raw<Partial<Parts>>({});

/** Those that have come; reactive. */
export function parts(): Partial<Parts> {
  return come;
}

/** They have come. */
export function bringParts(parts: Parts): void {
  come = parts;
}
