import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { knock } from './lib/house.svelte';
import { loadMessages } from './lib/i18n.svelte';
import { respectModifiers, restoreScroll } from './lib/links';

respectModifiers();
restoreScroll();
void knock();
await loadMessages('shell');
const target = document.getElementById('app');
if (target) mount(App, { target });
