/** What the todos offer on every page. */

import type { Offers } from '../../lib/section';
import Reminders from './Reminders.svelte';

export default {
  badge: { changes: ['todos'], count: ({ todos }) => todos.due_count, name: 'todos.badge' },
  companion: Reminders,
  pageKeys: [
    { keys: ['↑', '↓'], name: 'todos.keys.move' },
    { keys: ['Space'], name: 'todos.keys.done' },
    { keys: ['E'], name: 'todos.keys.edit' },
    { keys: ['Delete'], name: 'todos.keys.delete' },
    { keys: ['Esc'], name: 'todos.keys.leave' },
  ],
  actions: [{ name: 'todos.action.add', words: 'todos.action.add.words', icon: 'plus', keys: 'n', open: '/todos?new=1' }],
} satisfies Offers;
