/** Finds posts by what they say, with the server's help. */

import { findOnServer, marked } from '../../lib/found.svelte';
import { t } from '../../lib/i18n.svelte';
import type { Found, Search } from '../../lib/section';

const MOST = 6;

export default { name: 'blog.palette.posts', example: 'blog.palette.example', begin } satisfies Search;

function begin(query: () => string): ReturnType<Search['begin']> {
  const posts = findOnServer(query, 'post', MOST);
  return {
    get found(): Found[] {
      return posts.hits.map((hit) => ({ id: hit.id, name: hit.title || t('blog.palette.untitled'), ...marked(hit), open: hit.leads_to }));
    },
    get asking() {
      return posts.asking;
    },
    get failed() {
      return posts.failed;
    },
    get partial() {
      return posts.partial;
    },
  };
}
