/** The shapes of the system page that no other page uses. */

import type { Schemas } from '../../lib/schema';

export type ScheduleState = Schemas['ScheduleState'];
export type RestoredFile = Schemas['RestoredFile'];
export type Uploaded = Schemas['Uploaded'];
export type Setting = Schemas['SettingRow'];
