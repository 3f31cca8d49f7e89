/** Finds plants by parts of their names, with the server's help: there may be more than a page of them. */

import { findOnServer, marked } from '../../lib/found.svelte';
import type { Found, Search } from '../../lib/section';

const MOST = 6;

export default { name: 'plants.palette.plants', example: 'plants.palette.example', begin } satisfies Search;

function begin(query: () => string): ReturnType<Search['begin']> {
  const plants = findOnServer(query, 'plant', MOST);
  return {
    get found(): Found[] {
      return plants.hits.map((hit) => ({ id: hit.id, name: hit.title, ...marked(hit), open: hit.leads_to }));
    },
    get asking() {
      return plants.asking;
    },
    get failed() {
      return plants.failed;
    },
    get partial() {
      return plants.partial;
    },
  };
}
