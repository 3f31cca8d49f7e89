import { expect, test } from 'vitest';
import { grouped } from './grouped';

test('the thousands of a setting are set apart, and what is no number stays as it is written', () => {
  expect(['5000', '4096', '64', '', '127.0.0.1:8420', '-5000', '0600', '2026-11-23'].map(grouped)).toEqual(['5,000', '4,096', '64', '', '127.0.0.1:8420', '-5000', '0600', '2026-11-23']);
});
