/** The arithmetic of the charts: from values to places in a drawing. Nothing here touches the page. */

/** A straight mapping from the interval of values onto an interval of places. */
export type Scale = (value: number) => number;

/** Maps `domain` onto `range`; a domain without extent maps onto the middle. */
export function linearScale(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const extent = domain[1] - domain[0];
  if (extent === 0) return () => (range[0] + range[1]) / 2;
  return (value) => range[0] + ((value - domain[0]) / extent) * (range[1] - range[0]);
}

/** Round values from 0 to at least `highest`, about `wanted` steps apart by 1, 2 or 5 times a power of ten. */
export function niceTicks(highest: number, wanted = 4): number[] {
  if (!(highest > 0)) return [0];
  const rough = highest / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const count = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** The pixels that the widest of what stands at an axis takes, with the gap behind it; Korean letters are wide. */
export function axisRoom(written: readonly string[]): number {
  return Math.max(...written.map((text) => [...text].reduce((sum, letter) => sum + (letter > 'ÿ' ? 11 : 6.5), 0))) + 10;
}

export interface Bar {
  x: number;
  width: number;
  y: number;
  height: number;
  /** The middle of the bar's place, for labels and the expected line. */
  middle: number;
}

/** Upright bars of one width over `width` × `height`, `gap` pixels apart, the highest tick at the top edge. */
export function barsOf(values: readonly number[], highest: number, width: number, height: number, gap = 2): Bar[] {
  const place = width / Math.max(1, values.length);
  const scale = linearScale([0, highest], [0, height]);
  const barWidth = Math.max(1, place - gap);
  return values.map((value, index) => {
    const barHeight = highest > 0 ? scale(value) : 0;
    return { x: index * place + (place - barWidth) / 2, width: barWidth, y: height - barHeight, height: barHeight, middle: (index + 0.5) * place };
  });
}

/** An SVG path through points, in their order. */
export function pathThrough(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

/** Which of `count` equal places along `width` the pointer at `x` is over; the ends take what lies outside. */
export function placeAt(x: number, width: number, count: number): number {
  if (width <= 0 || count <= 0) return 0;
  return Math.min(count - 1, Math.max(0, Math.floor((x / width) * count)));
}

/** An axis around 1 that holds every interval with some room, the same extent to both sides: 1 stays in the middle. */
export function ratioDomain(intervals: readonly { low: number; high: number }[]): [number, number] {
  const furthest = Math.max(0.02, ...intervals.flatMap(({ low, high }) => [Math.abs(low - 1), Math.abs(high - 1)]));
  const reach = Math.ceil(furthest * 1.15 * 50) / 50;
  return [1 - reach, 1 + reach];
}

/** The deviation of a number in whole steps from −3 to 3, for shading; `z` is in standard deviations. */
export function heatStep(z: number): number {
  const step = Math.min(3, Math.max(-3, Math.round(z)));
  return step === 0 ? 0 : step;
}

/** Labels that fit: every `n`-th of `count` when each needs `needed` pixels of `width`; the step is at least 1. */
export function labelStep(count: number, width: number, needed: number): number {
  if (width <= 0) return Math.max(1, count);
  return Math.max(1, Math.ceil((count * needed) / width));
}
