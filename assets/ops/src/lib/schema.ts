/**
 * The shapes of the household door, from the server's own OpenAPI document: `npm run types` writes them into
 * `generated/schema.d.ts`. A section names those that it alone uses in its own folder. Nothing of this is bundled.
 */

import type { components } from '../../generated/schema';

export type { paths } from '../../generated/schema';
/** Every shape of the document by its name there. */
export type Schemas = components['schemas'];

/** RFC 3339 in UTC. */
export type Instant = string;
/** `YYYY-MM-DD` in Asia/Seoul. */
export type Day = string;

export type Household = Schemas['HouseholdState'];
export type Session = Schemas['Device'];
export type Snapshot = Schemas['ListedSnapshot'];
export type System = Schemas['System'];
export type Task = Schemas['Task'];
export type Today = Schemas['Today'];
