/** Which of the shell's windows is open; one at a time, opened from anywhere. */

export type Panel = 'palette' | 'more' | 'activity' | 'shortcuts' | 'sessions' | 'leaving';

let shown = $state<Panel>();
/** What is typed before the palette is here; undefined once it is. */
let early: string | undefined;

/** The open window; reactive. */
export function openPanel(): Panel | undefined {
  return shown;
}

/** Opens a window of the shell in place of the one that was open. */
export function showPanel(panel: Panel): void {
  shown = panel;
  early = '';
}

/** Keeps a letter that is typed before the palette is here to take it; false when it is not waited for. */
export function typeEarly(letter: string): boolean {
  if (shown !== 'palette' || early === undefined) return false;
  early += letter;
  return true;
}

/** What was typed before the palette was here, once. */
export function typedEarly(): string {
  const typed = early ?? '';
  early = undefined;
  return typed;
}

/** Closes a window, if it is the open one. */
export function closePanel(panel: Panel): void {
  if (shown === panel) shown = undefined;
}
