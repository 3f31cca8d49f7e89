/** What the blog offers on every page. */

import type { Offers } from '../../lib/section';
import SendKept from './SendKept.svelte';
import { isAnyWaiting } from './waiting.svelte';

export default {
  warning: () => (isAnyWaiting() ? 'blog.undecided.mark' : undefined),
  words: 'blog.words',
  search: { kind: 'post', name: 'blog.palette.posts', example: 'blog.palette.example', untitled: 'blog.palette.untitled' },
  companion: SendKept,
  pageKeys: [
    { keys: ['↑', '↓', 'J', 'K'], name: 'blog.keys.move' },
    { keys: ['Ctrl+S'], name: 'blog.keys.save' },
    { keys: ['Ctrl+Enter'], name: 'blog.keys.publish' },
    { keys: ['Ctrl+E'], name: 'blog.keys.preview' },
    { keys: ['Esc'], name: 'blog.keys.list' },
  ],
  actions: [{ name: 'blog.action.write', words: 'blog.action.write.words', icon: 'edit', keys: 'w', open: '/blog/write?new=1' }],
} satisfies Offers;
