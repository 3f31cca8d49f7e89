import { expect, test } from 'vitest';
import { ApiError } from './api';
import { Attempt } from './attempt';

const lost = new ApiError('UNANSWERED', 0, '');
const gateway = new ApiError('UNREACHABLE', 504, '');
const refused = new ApiError('CONFLICT', 409, '');

/** The keys under which an attempt sends bodies, each answered or failed as is said. */
async function keys(attempt: Attempt, ...sent: [body: unknown, failure?: ApiError][]): Promise<string[]> {
  const used: string[] = [];
  for (const [body, failure] of sent) {
    const send = async (header: { 'Idempotency-Key': string }) => {
      used.push(header['Idempotency-Key']);
      if (failure) throw failure;
    };
    await attempt.send(body, send).catch(() => undefined);
  }
  return used;
}

test('what was not answered is sent again under the same key, also after a refusal of the second asking, until it is answered', async () => {
  const [first, second, third, fourth, fifth] = await keys(new Attempt(), ['a', lost], ['a', gateway], ['a', refused], ['a'], ['a']);
  expect([second, third, fourth]).toEqual([first, first, first]);
  expect(fifth).not.toBe(first);
});

test('what was refused, what is said otherwise, and what is begun anew has a new key', async () => {
  const attempt = new Attempt();
  const used = await keys(attempt, ['a', refused], ['a', lost], ['b', lost]);
  attempt.begin();
  used.push(...(await keys(attempt, ['b'])), ...(await keys(new Attempt(), ['b'])));
  expect(new Set(used).size).toBe(5);
});
