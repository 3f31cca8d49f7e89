import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import { ApiError } from './api';
import { form, readAmount } from './form.svelte';

vi.mock('virtual:messages', () => ({ default: {} }));

const refusedFields = new ApiError('INVALID_INPUT', 422, 'invalid', { title: 'must not be empty', 'days[1]': 'must be a day', owner: 'must be known' });

test('each refused field says so beside itself until it is changed; what no field shows is said of the whole', async () => {
  const plant = form({ title: '', days: ['월', '?'] });
  const end = plant.shows('title');
  plant.shows('days');
  expect(await plant.submit(() => Promise.reject(refusedFields))).toBe(false);
  expect([plant.refusal('title'), plant.refusal('days')]).toEqual(['must not be empty', 'must be a day']);
  expect(plant.problem?.fields).toEqual({ owner: 'must be known' });
  plant.values.title = '몬스테라';
  expect([plant.refusal('title'), plant.refusal('days')]).toEqual([undefined, 'must be a day']);
  end();
  expect(await plant.submit(() => Promise.reject(new TypeError('no network')))).toBe(false);
  expect([plant.problem?.code, plant.refusal('days')]).toEqual(['OFFLINE', undefined]);
});

test('it is sent once at a time, starts anew when it was taken, and is asked again under the same key where nobody knows', async () => {
  const plant = form({ title: '', price: null as number | null });
  plant.values.title = '산세베리아';
  expect(plant.dirty).toBe(true);
  const keys: string[] = [];
  let answer!: () => void;
  const first = plant.submit((_, header) => {
    keys.push(header['Idempotency-Key']);
    return Promise.reject(new ApiError('UNANSWERED', 0, ''));
  });
  expect(await first).toBe(false);
  expect(plant.values.title).toBe('산세베리아');
  const second = plant.submit((values, header) => {
    keys.push(header['Idempotency-Key']);
    expect(values).toEqual({ title: '산세베리아', price: null });
    return new Promise<void>((resolve) => (answer = resolve));
  });
  expect([plant.busy, await plant.submit(() => Promise.reject(new Error('twice')))]).toEqual([true, false]);
  answer();
  expect(await second).toBe(true);
  expect([plant.values.title, plant.dirty, plant.busy, plant.problem]).toEqual(['', false, false, undefined]);
  expect(keys[0]).toBe(keys[1]);
});

test('what is typed goes into the draft, and what was taken is in none', async () => {
  const kept = { value: { title: '어제 적던 것' } };
  let plant!: ReturnType<typeof form<{ title: string }>>;
  const end = $effect.root(() => void (plant = form({ title: '' }, kept)));
  expect([plant.values.title, plant.dirty]).toEqual(['어제 적던 것', true]);
  plant.values.title = '오늘 적은 것';
  flushSync();
  expect(kept.value).toEqual({ title: '오늘 적은 것' });
  await plant.submit(() => Promise.resolve());
  flushSync();
  expect([plant.values, kept.value]).toEqual([{ title: '' }, { title: '' }]);
  end();
});

test('the first refused field of the form has the focus', async () => {
  const done: string[] = [];
  const element = { querySelector: (selector: string) => (selector === '[aria-invalid="true"]' ? { focus: () => done.push('focused') } : null) };
  const event = { preventDefault: () => done.push('kept here'), currentTarget: element } as unknown as SubmitEvent;
  await form({ title: '' }).submit(() => Promise.reject(refusedFields), event);
  expect(done).toEqual(['kept here', 'focused']);
});

test('an amount is read as it is typed', () => {
  expect(['1,200', '₩ 1 200원', '', '-', '007', '12.5', 'abc'].map((typed) => readAmount(typed))).toEqual(['1200', '1200', null, null, '7', undefined, undefined]);
  expect(['12.', '12.50', '12.505', '−3.2'].map((typed) => readAmount(typed, 2))).toEqual(['12.', '12.50', undefined, '-3.2']);
});
