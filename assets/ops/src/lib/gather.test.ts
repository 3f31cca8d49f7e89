import { describe, expect, it } from 'vitest';
import { gather } from './gather';

describe('a long list', () => {
  const all = Array.from({ length: 1_234 }, (_, index) => index);
  const asked: [number, number][] = [];
  const ask = async (limit: number, offset: number) => {
    asked.push([limit, offset]);
    return { entries: all.slice(offset, offset + limit), total: all.length };
  };

  const itself = (entry: unknown) => entry;

  it('is asked for in parts that a route gives', async () => {
    asked.length = 0;
    const { entries, total } = await gather(1_100, 500, ask, itself);
    expect(entries).toEqual(all.slice(0, 1_100));
    expect(total).toBe(1_234);
    expect(asked).toEqual([[500, 0], [500, 500], [100, 1_000]]);
  });

  it('is asked for in no larger parts than its server gives', async () => {
    asked.length = 0;
    expect((await gather(250, 100, ask, itself)).entries).toEqual(all.slice(0, 250));
    expect(asked).toEqual([[100, 0], [100, 100], [50, 200]]);
  });

  it('ends where the list ends', async () => {
    expect((await gather(5_000, 500, ask, itself)).entries).toHaveLength(1_234);
    expect(await gather(30, 500, async () => ({ entries: [], total: 0 }), itself)).toEqual({ entries: [], total: 0 });
  });

  it('has each entry once, and as many as are wanted, when some move into the next part', async () => {
    const moving = async (limit: number, offset: number) => {
      const moved = offset === 0 ? all : [-3, -2, -1, ...all];
      return { entries: moved.slice(offset, offset + limit), total: moved.length };
    };
    const { entries } = await gather(700, 500, moving, itself);
    expect(entries).toEqual(all.slice(0, 700));
  });
});
