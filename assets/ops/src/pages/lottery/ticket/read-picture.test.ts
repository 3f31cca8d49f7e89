/** The button of the camera hands over a picture like the one of files does, and the code in it is read by whatever the browser has. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import encodeQR from 'qr';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readCode } from './read-picture';

const TICKET = 'http://m.dhlottery.co.kr/?v=1245q040525283242';
/** Pixels of one square of the code. */
const SQUARE = 4;

/** A picture of a code as its pixels, as a canvas gives them. */
function pictureOf(text: string): { width: number; height: number; data: Uint8ClampedArray } {
  const rows = encodeQR(text, 'raw', { border: 4 });
  const side = rows.length * SQUARE;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      if (rows[Math.floor(y / SQUARE)]![Math.floor(x / SQUARE)]) data.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
    }
  }
  return { width: side, height: side, data };
}

let picture: ReturnType<typeof pictureOf>;
let closed: number;
let drawn: number;

beforeEach(() => {
  picture = pictureOf(TICKET);
  [closed, drawn] = [0, 0];
  vi.stubGlobal('createImageBitmap', async (file: Blob) => {
    if (file.type !== 'image/jpeg') throw new DOMException('no picture', 'InvalidStateError');
    return { width: picture.width, height: picture.height, close: () => (closed += 1) };
  });
  const context = { drawImage: () => (drawn += 1), getImageData: () => picture };
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => context }) });
});
afterEach(() => vi.unstubAllGlobals());

const photograph = new Blob(['from the camera'], { type: 'image/jpeg' });

test('the browser reads the code where it can, and nothing is drawn for it', async () => {
  vi.stubGlobal('BarcodeDetector', class {
    static getSupportedFormats = async () => ['ean_13', 'qr_code'];
    detect = async () => [{ rawValue: TICKET }];
  });
  expect([await readCode(photograph), drawn, closed]).toEqual([TICKET, 0, 1]);
});

test('where it cannot, or has it in name only, the code is found in the pixels', async () => {
  expect([await readCode(photograph), closed]).toEqual([TICKET, 1]);
  vi.stubGlobal('BarcodeDetector', class {
    static getSupportedFormats = async () => ['qr_code'];
    detect = () => Promise.reject(new DOMException('unavailable', 'NotSupportedError'));
  });
  expect([await readCode(photograph), closed]).toEqual([TICKET, 2]);
});

test('a picture without a code says nothing, what is no picture is told apart, and neither stays in memory', async () => {
  picture.data.fill(255);
  expect([await readCode(photograph), closed]).toEqual([undefined, 1]);
  await expect(readCode(new Blob(['text'], { type: 'text/plain' }))).rejects.toThrow('no picture');
});

test('the camera is offered where there is a finger, begins with the one that looks away from whoever holds it, and goes the way of any picture', () => {
  const source = readFileSync(join(import.meta.dirname, 'TicketDialog.svelte'), 'utf8');
  const [camera, files] = [...source.matchAll(/<label class="button( camera)?">.*?<input ([^/]*\/\*[^/]*)\/>/g)].map(([, name, input]) => ({ name, input: input! }));
  expect([camera?.name, files?.name]).toEqual([' camera', undefined]);
  expect(camera!.input.replace('capture="environment" ', '')).toBe(files!.input);
  expect(files!.input).toMatch(/type="file" accept="image\/\*" onchange=\{\(event\) => void choose\(event\.currentTarget\)\}/);
  expect(source).toMatch(/\.camera \{ display: none; \}/);
  expect(source).toMatch(/@media \(pointer: coarse\) \{ \.camera \{ display: inline-flex; \} \}/);
});
