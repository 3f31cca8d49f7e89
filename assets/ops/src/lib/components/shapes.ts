/** Those of the icons that stand before the first page; the others are in `icons.ts`, which says how they are drawn. */
export const SHAPES = {
  machine: 'M4 5h16v6H4zM4 13h16v6H4zM7.5 8h.01M7.5 16h.01M12 8h5M12 16h5',
  find: 'M16.5 16.5 21 21M18.5 11a7.5 7.5 0 1 1-15 0 7.5 7.5 0 0 1 15 0Z',
  activity: 'M3 12h4l2.5-7 5 14 2.5-7h4',
  close: 'M6 6l12 12M18 6 6 18',
  warn: 'M12 4 2.5 20h19L12 4ZM12 10v4.5M12 17.2v.01',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4',
} as const;
