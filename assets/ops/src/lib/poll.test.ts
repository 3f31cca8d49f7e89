import { expect, test } from 'vitest';
import { poll } from './poll';

test('what goes on is asked for again under its key until something comes of it', async () => {
  const keys: string[] = [];
  const made = await poll(async (key) => {
    keys.push(key);
    return keys.length < 3 ? { in_progress: true } : { name: 'made' };
  });
  expect(made).toEqual({ name: 'made' });
  expect(new Set(keys).size).toBe(1);
  await expect(poll(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});
