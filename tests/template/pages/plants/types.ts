/** The shapes of the plants. */

import type { Schemas } from '../../lib/schema';

export type Plant = Schemas['plants.Plant'];
