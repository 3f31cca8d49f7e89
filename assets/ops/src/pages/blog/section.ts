/** The blog: what the household writes. */

import type { Section } from '../../lib/section';

export default {
  path: '/blog',
  name: 'blog.name',
  icon: 'M5 4h10l4 4v12H5zM14.5 4.5V8.5H19M8.5 12.5h7M8.5 16h5',
  group: 'everyday',
  order: 40,
  keys: 'g b',
  page: () => import('./Blog.svelte'),
  inner: [{ path: '/read', name: 'blog.palette.read', page: () => import('./Read.svelte') }, { path: '/write', name: 'blog.palette.write', page: () => import('./Write.svelte') }],
} satisfies Section;
