/** The shapes of the system page that no other page uses. */

import type { Schemas } from '../../lib/schema';

export type ScheduleState = Schemas['ScheduleState'];
