/** The catalogues as tests read them. */

import type { Language } from './i18n.svelte';

/** What a room of a `messages.json` says in one language, by its keys: `inLanguage(all.statistics, 'en')['even']`. */
export function inLanguage<Room extends Record<string, string[]>>(room: Room, language: Language): { [Key in keyof Room]: string } {
  const said = Object.entries(room).map(([key, texts]) => [key, texts[language === 'ko' ? 0 : 1]]);
  return Object.fromEntries(said) as { [Key in keyof Room]: string };
}
