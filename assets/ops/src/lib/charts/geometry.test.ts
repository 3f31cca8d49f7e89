import { describe, expect, it } from 'vitest';
import { axisRoom, barsOf, heatStep, labelStep, linearScale, niceTicks, pathThrough, placeAt, ratioDomain } from './geometry';

describe('chart geometry', () => {
  it('maps values onto places, and a single value onto the middle', () => {
    expect(linearScale([0, 10], [0, 200])(2.5)).toBe(50);
    expect(linearScale([0, 10], [200, 0])(2.5)).toBe(150);
    expect(linearScale([3, 3], [0, 200])(3)).toBe(100);
  });

  it('chooses round ticks that reach over the highest value', () => {
    expect(niceTicks(187)).toEqual([0, 50, 100, 150, 200]);
    expect(niceTicks(0.3)).toEqual([0, 0.1, 0.2, 0.3]);
    expect(niceTicks(200, 4)).toEqual([0, 50, 100, 150, 200]);
    expect(niceTicks(0)).toEqual([0]);
  });

  it('leaves the room at an axis that its widest words take, in either script', () => {
    expect([axisRoom(['0', '500']), axisRoom(['0', '5만 원'])]).toEqual([29.5, 45]);
  });

  it('stands bars on the ground and centres them in their places', () => {
    const bars = barsOf([5, 10], 10, 100, 80, 10);
    expect(bars[0]).toEqual({ x: 5, width: 40, y: 40, height: 40, middle: 25 });
    expect(bars[1]).toEqual({ x: 55, width: 40, y: 0, height: 80, middle: 75 });
  });

  it('draws a chart of nothing without dividing by it', () => {
    expect(barsOf([0, 0], 0, 100, 80).map((bar) => bar.height)).toEqual([0, 0]);
    expect(barsOf([], 10, 100, 80)).toEqual([]);
    expect(pathThrough([])).toBe('');
  });

  it('writes a path', () => {
    expect(pathThrough([[0, 1], [2.25, 3]])).toBe('M0.0 1.0L2.3 3.0');
  });

  it('finds the place under the pointer, the ends included', () => {
    expect(placeAt(-5, 100, 10)).toBe(0);
    expect(placeAt(55, 100, 10)).toBe(5);
    expect(placeAt(100, 100, 10)).toBe(9);
    expect(placeAt(10, 0, 10)).toBe(0);
  });

  it('keeps chance in the middle of the forest', () => {
    const [low, high] = ratioDomain([{ low: 0.93, high: 1.05 }, { low: 0.95, high: 1.09 }]);
    expect((low + high) / 2).toBeCloseTo(1);
    expect(high).toBeGreaterThanOrEqual(1.09);
    expect(low).toBeLessThanOrEqual(0.93);
  });

  it('shades by whole standard deviations and never beyond three', () => {
    expect([-2.42, -0.3, 0, 0.6, 9].map(heatStep)).toEqual([-2, 0, 0, 1, 3]);
  });

  it('leaves out labels that would touch', () => {
    expect(labelStep(16, 320, 40)).toBe(2);
    expect(labelStep(7, 700, 40)).toBe(1);
    expect(labelStep(7, 0, 40)).toBe(7);
  });
});
