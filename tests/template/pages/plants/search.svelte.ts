/** Finds plants by parts of their names, with the server's help: there may be more than a page of them. */

import { findOnServer } from '../../lib/found.svelte';
import type { Found, Search } from '../../lib/section';

const MOST = 6;

export default { name: 'plants.palette.plants', example: 'plants.palette.example', begin } satisfies Search;

function begin(query: () => string): ReturnType<Search['begin']> {
  const plants = findOnServer(query, 'plant', MOST);
  return {
    get found(): Found[] {
      return plants.hits.map(({ id, title }) => ({ id, name: title, open: '/plants' }));
    },
    get asking() {
      return plants.asking;
    },
    get failed() {
      return plants.failed;
    },
  };
}
