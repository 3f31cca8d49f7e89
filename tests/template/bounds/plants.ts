/** The bounds of requests as the server's document says them. `npm run types` writes this file. */

export const NewDiary = {
  text: { minLength: 1, maxLength: 2000000 },
} as const;

export const NewPlant = {
  every_days: { minimum: 1, maximum: 365 },
  title: { minLength: 1, maxLength: 100 },
} as const;

export const PlantChanges = {
  every_days: { minimum: 1, maximum: 365 },
  title: { minLength: 1, maxLength: 100 },
} as const;

export const plants_list = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;
