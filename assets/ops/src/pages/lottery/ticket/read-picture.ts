/** Finds the QR code in a picture: by the browser where it can, else by a library that comes when it is first needed. */

type Detector = { detect: (image: ImageBitmap) => Promise<{ rawValue: string }[]> };
type DetectorKind = { new (options: { formats: string[] }): Detector; getSupportedFormats: () => Promise<string[]> };

/** The longest sides, in pixels, at which a picture is looked at: a code near and far. */
const SIDES = [1_600, 900, 2_800];

/** What the code in the picture says; undefined when none is found. Throws when it is no picture. */
export async function readCode(file: Blob): Promise<string | undefined> {
  const image = await createImageBitmap(file);
  try {
    return (await byBrowser(image)) ?? (await byLibrary(image));
  } finally {
    image.close();
  }
}

async function byBrowser(image: ImageBitmap): Promise<string | undefined> {
  const kind = (globalThis as { BarcodeDetector?: DetectorKind }).BarcodeDetector;
  try {
    if (!kind || !(await kind.getSupportedFormats()).includes('qr_code')) return undefined;
    return (await new kind({ formats: ['qr_code'] }).detect(image))[0]?.rawValue;
  } catch {
    // Some browsers have it in name only.
    return undefined;
  }
}

async function byLibrary(image: ImageBitmap): Promise<string | undefined> {
  const { default: decode } = await import('qr/decode.js');
  const longest = Math.max(image.width, image.height);
  for (const side of new Set(SIDES.map((wanted) => Math.min(wanted, longest)))) {
    const scale = side / longest;
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [Math.max(1, Math.round(image.width * scale)), Math.max(1, Math.round(image.height * scale))];
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) return undefined;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    try {
      return decode(context.getImageData(0, 0, canvas.width, canvas.height));
    } catch {
      // No code at this size.
    }
  }
  return undefined;
}
