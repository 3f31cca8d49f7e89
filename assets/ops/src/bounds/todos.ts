/** The bounds of requests as the server's document says them. `npm run types` writes this file. */

export const NewTodo = {
  note: { maxLength: 10000 },
  remind_before: { minimum: 0, maximum: 527040 },
  repeat: { day: { minimum: 1, maximum: 31 }, interval: { minimum: 1, maximum: 99 }, month: { minimum: 1, maximum: 12 }, week: { minimum: 1, maximum: 5 }, weekdays: { maxItems: 7 } },
  title: { minLength: 1, maxLength: 500 },
} as const;

export const TodoChanges = {
  note: { maxLength: 10000 },
  remind_before: { minimum: 0, maximum: 527040 },
  repeat: { day: { minimum: 1, maximum: 31 }, interval: { minimum: 1, maximum: 99 }, month: { minimum: 1, maximum: 12 }, week: { minimum: 1, maximum: 5 }, weekdays: { maxItems: 7 } },
  title: { minLength: 1, maxLength: 500 },
} as const;

export const todos_list = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;
