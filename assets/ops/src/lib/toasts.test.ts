import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dismiss, endAway, holdToasts, toast, toastProblem, toasts, toastUndo } from './toasts.svelte';

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  toasts().forEach(({ id }) => dismiss(id));
  vi.useRealTimers();
});

describe('a message', () => {
  test('goes by itself', () => {
    toast('저장했습니다');
    expect(toasts().map(({ text }) => text)).toEqual(['저장했습니다']);
    vi.advanceTimersByTime(5_000);
    expect(toasts()).toEqual([]);
  });

  test('stays while somebody reads it', () => {
    toast('저장했습니다');
    holdToasts(true);
    vi.advanceTimersByTime(60_000);
    expect(toasts().length).toBe(1);
    holdToasts(false);
    vi.advanceTimersByTime(5_000);
    expect(toasts()).toEqual([]);
  });
});

test('what said that the server is away goes when it is heard again, and nothing else does', () => {
  for (let time = 0; time < 3; time += 1) toastProblem('서버에 연결되지 않습니다', undefined, true);
  toastProblem('저장하지 못했습니다');
  toast('지웠습니다');
  endAway();
  expect(toasts().map(({ text }) => text)).toEqual(['저장하지 못했습니다', '지웠습니다']);
});

describe('many messages', () => {
  test('that say the like of one thing after another are one, and it is the newest; what went wrong stays', () => {
    toastProblem('저장하지 못했습니다');
    for (const text of ['하나', '둘', '셋']) toast(text, { label: '보기', run: () => undefined }, 'added');
    toast('다른 일');
    expect(toasts().map(({ text }) => text)).toEqual(['저장하지 못했습니다', '셋', '다른 일']);
    vi.advanceTimersByTime(4_000);
    toast('넷', undefined, 'added');
    vi.advanceTimersByTime(4_000);
    expect(toasts().map(({ text }) => text)).toEqual(['저장하지 못했습니다', '넷']);
  });

  test('that say the same are one, with how often it was said, and its time begins anew', () => {
    toastProblem('저장하지 못했습니다');
    vi.advanceTimersByTime(11_000);
    toastProblem('저장하지 못했습니다');
    toast('저장하지 못했습니다');
    expect(toasts().map(({ text, tone, times }) => [text, tone, times])).toEqual([['저장하지 못했습니다', 'problem', 2], ['저장하지 못했습니다', 'plain', 1]]);
    vi.advanceTimersByTime(11_000);
    expect(toasts().map(({ tone }) => tone)).toEqual(['problem']);
  });

  test('are three at most: the oldest goes, and before it what only says something', () => {
    const commit = vi.fn();
    toastUndo('지웠습니다', '되돌리기', () => undefined, commit);
    for (const text of ['하나', '둘', '셋']) toast(text);
    expect(toasts().map(({ text }) => text)).toEqual(['지웠습니다', '둘', '셋']);
    expect(commit).not.toHaveBeenCalled();
    for (const text of ['넷', '다섯', '여섯']) toastUndo(text, '되돌리기', () => undefined, () => undefined);
    expect(toasts().map(({ text }) => text)).toEqual(['넷', '다섯', '여섯']);
    expect(commit).toHaveBeenCalledOnce();
  });
});

describe('a removal that can be taken back', () => {
  test('is carried out once, when its message ends', () => {
    const commit = vi.fn();
    const undo = vi.fn();
    toastUndo('지웠습니다', '되돌리기', undo, commit);
    expect(commit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(7_000);
    vi.advanceTimersByTime(60_000);
    expect([commit.mock.calls.length, undo.mock.calls.length]).toEqual([1, 0]);
  });

  test('is never carried out after it was taken back', () => {
    const commit = vi.fn();
    const undo = vi.fn();
    toastUndo('지웠습니다', '되돌리기', undo, commit);
    toasts()[0]!.action!.run();
    vi.advanceTimersByTime(60_000);
    expect([commit.mock.calls.length, undo.mock.calls.length]).toEqual([0, 1]);
  });

  test('is carried out at once when its message is closed', () => {
    const commit = vi.fn();
    toastUndo('지웠습니다', '되돌리기', () => undefined, commit);
    dismiss(toasts()[0]!.id);
    expect(commit).toHaveBeenCalledOnce();
  });
});
