import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { knock } from './lib/house.svelte';
import { loadMessages } from './lib/i18n.svelte';
import { restoreScroll } from './lib/scroll';
import './lib/theme.svelte';
import { preload } from './routes';

restoreScroll();
// The page, its sentences and the answer to "who are we" are asked for together, not one after the other.
void preload(location.pathname);
void knock();
await loadMessages('shell');
const target = document.getElementById('app');
if (target) mount(App, { target });
