/** The bounds of requests as the server's document says them. `npm run types` writes this file. */

export const SettingChange = {
  value: { maxLength: 1024 },
} as const;
