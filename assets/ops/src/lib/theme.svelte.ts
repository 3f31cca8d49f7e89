/** Light, dark, or as the system says; remembered in this browser and applied before the first paint by `before-paint.js`. */

export type Theme = 'system' | 'light' | 'dark';
export const THEMES: Theme[] = ['system', 'light', 'dark'];

const STORED = 'hanok.theme';
const chosen = document.documentElement.dataset['theme'];
let theme = $state<Theme>(chosen === 'light' || chosen === 'dark' ? chosen : 'system');
paintSurroundings();

/** The chosen theme; reactive. */
export function currentTheme(): Theme {
  return theme;
}

/** Applies a theme at once and remembers it. */
export function setTheme(next: Theme): void {
  theme = next;
  if (next === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = next;
  paintSurroundings();
  try {
    localStorage.setItem(STORED, next);
  } catch {
    // Storage is switched off in this browser: the choice holds until the page is closed.
  }
}

/** The colour that a phone gives to its own bars around the page: the one for each system theme, or the chosen one for both. */
function paintSurroundings(): void {
  const papers = { light: '#faf8f4', dark: '#141310' };
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const system = meta.media.includes('dark') ? 'dark' : 'light';
    meta.content = papers[theme === 'system' ? system : theme];
  }
}
