import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { loadMessages } from './lib/i18n.svelte';

await loadMessages('shell');
const target = document.getElementById('app');
if (target) mount(App, { target });
