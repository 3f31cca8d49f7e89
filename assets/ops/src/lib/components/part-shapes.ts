/** Icons that only some shared parts draw, which come with those: `<Shape shape={PART_SHAPES.pause} />`. They are drawn as `icons.ts` says. */
export const PART_SHAPES = {
  pause: 'M9 6v12M15 6v12',
  previous: 'M18 6v12L9 12l9-6ZM6 6v12',
  next: 'M6 6v12l9-6-9-6ZM18 6v12',
  volume: 'M4 9.5h3.5L12 6v12l-4.5-3.5H4ZM15.5 9.5a4 4 0 0 1 0 5M18 7a7.5 7.5 0 0 1 0 10',
  move: 'M5 12h13M13 7l5 5-5 5',
  upload: 'M12 16V5M7.5 9.5 12 5l4.5 4.5M5 19h14',
} as const;
