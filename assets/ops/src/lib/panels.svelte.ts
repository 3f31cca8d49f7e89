/** Which of the shell's windows is open; one at a time, opened from anywhere. */

export type Panel = 'palette' | 'activity' | 'shortcuts' | 'sessions';

let shown = $state<Panel>();

/** The open window; reactive. */
export function openPanel(): Panel | undefined {
  return shown;
}

/** Opens a window of the shell in place of the one that was open. */
export function showPanel(panel: Panel): void {
  shown = panel;
}

/** Closes a window, if it is the open one. */
export function closePanel(panel: Panel): void {
  if (shown === panel) shown = undefined;
}
