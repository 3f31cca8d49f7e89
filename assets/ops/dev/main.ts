/**
 * The shared parts of the app in all their states, for whoever works on them: `npx vite`, then `/dev/parts`. The address is of
 * the development server alone; what is built begins at `index.html` and has none of it.
 */

import { mount } from 'svelte';
import '../src/app.css';
import { loadMessages } from '../src/lib/i18n.svelte';
import '../src/lib/theme.svelte';
import { standIn } from './stand-in';

standIn();
// As in the app, pages come after the shell; what waits here would have them wait for it, and it for them.
void Promise.all([import('./Parts.svelte'), loadMessages('shell')]).then(([{ default: Parts }]) => {
  const target = document.getElementById('app');
  if (target) mount(Parts, { target });
});
