import { expect, test } from 'vitest';
import { soon } from './soon';

test('what goes on is asked for again under its key until something comes of it', async () => {
  const keys: string[] = [];
  const made = await soon(async (key) => {
    keys.push(key);
    return keys.length < 3 ? { under_way: true } : { name: 'made' };
  });
  expect(made).toEqual({ name: 'made' });
  expect(new Set(keys).size).toBe(1);
  await expect(soon(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});
