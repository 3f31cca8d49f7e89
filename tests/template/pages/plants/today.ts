/** The plants' part of Today: the driest plants, each with a button for having watered it, and their card. */

import { api, call } from '../../lib/api';
import { t } from '../../lib/i18n.svelte';
import { date } from '../../lib/say';
import type { Today } from '../../lib/schema';
import type { Need, TodayPart } from '../../lib/section';

export default { changes: ['plants'], needs, cards: [{ id: 'thirsty', name: 'plants.today.title', card: () => import('./TodayCard.svelte') }] } satisfies TodayPart;

function needs({ thirsty_plants }: Today): Need[] {
  return thirsty_plants.map(({ id, title, due }) => {
    const water = () => call(api.POST('/api/plants/{id}/water', { params: { path: { id } } }));
    return {
      id, rank: 25, name: 'plants.today.need', text: title, hint: date(due),
      act: { label: t('plants.today.water'), described: t('plants.today.water_of', { title }), run: water, done: 'plants.today.watered' },
    };
  });
}
