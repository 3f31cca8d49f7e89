import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Playlist, type Track } from './playlist.svelte';

const TRACKS: Track[] = ['a', 'b', 'c'].map((id) => ({ id, src: `/${id}.mp3`, title: id }));

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => stored.set(key, value) });
});
afterEach(() => vi.unstubAllGlobals());

test('it goes from track to track and stops behind the last one', () => {
  const list = new Playlist('test');
  expect(list.current).toBe(undefined);
  list.play(TRACKS, 1);
  expect([list.current?.id, list.playing, list.hasPrevious, list.hasNext]).toEqual(['b', true, true, true]);
  list.go(1);
  expect([list.current?.id, list.hasNext]).toEqual(['c', false]);
  list.go(1);
  expect([list.current?.id, list.playing]).toEqual(['c', false]);
  list.close();
  expect(list.current).toBe(undefined);
});

test('this browser remembers the volume, and where a track was left unless that was at its edge', () => {
  const list = new Playlist('test');
  list.volume = 2;
  list.volume = 0.4;
  list.leave(TRACKS[0]!, 61.7, 180);
  list.leave(TRACKS[1]!, 178, 180);
  for (let other = 0; other < 49; other += 1) list.leave({ ...TRACKS[2]!, id: `other ${other}` }, 60, 180);
  const again = new Playlist('test');
  expect([again.volume, again.placeOf(TRACKS[0]!), again.placeOf(TRACKS[1]!)]).toEqual([0.4, 61, 0]);
  again.leave({ ...TRACKS[2]!, id: 'one more' }, 60, 180);
  expect([again.placeOf(TRACKS[0]!), new Playlist('another').volume]).toEqual([0, 1]);
});
