/** Stands in for the house: takes files in slowly, says who we are, and plays a tone. */

const PART_MS = 350;

/** Answers what the parts ask of the house; `fail` in the name of a file has it refused. */
export function standIn(): void {
  const real = globalThis.fetch;
  const files = new Map<string, { name: string; size: number; far: number }>();
  globalThis.fetch = async (input, init = {}) => {
    const request = input instanceof Request ? input : undefined;
    const path = new URL(request?.url ?? String(input), location.origin).pathname;
    if (!path.startsWith('/api/')) return real(input, init);
    const method = init.method ?? request?.method ?? 'GET';
    if (!path.startsWith('/api/uploads')) return Response.json({}, { status: 200 });
    const headers = new Headers(init.headers);
    if (method === 'POST') {
      const place = `/api/uploads/${files.size + 1}`;
      const name = new TextDecoder().decode(Uint8Array.from(atob((headers.get('Upload-Metadata') ?? '').split(' ')[1] ?? ''), (letter) => letter.charCodeAt(0)));
      files.set(place, { name, size: Number(headers.get('Upload-Length')), far: 0 });
      return new Response(null, { status: 201, headers: { Location: place, 'Upload-Offset': '0' } });
    }
    const file = files.get(path);
    if (!file) return Response.json({ error: 'NOT_FOUND', message: 'no such upload' }, { status: 404 });
    if (method === 'PATCH') {
      await new Promise((resolve, reject) => {
        setTimeout(resolve, PART_MS);
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      });
      if (file.name.includes('fail')) return Response.json({ error: 'STORAGE_FULL', message: 'the disk is full' }, { status: 507 });
      file.far = Math.min(file.size, file.far + (init.body as Blob).size);
    }
    const answer = { 'Upload-Offset': String(file.far) };
    return method === 'GET' ? Response.json({ file: 'f'.repeat(64) }, { headers: answer }) : new Response(null, { status: method === 'HEAD' ? 200 : 204, headers: answer });
  };
}

/** The address of a tone of some seconds. */
export function tone(hertz: number, seconds: number): string {
  const rate = 8_000;
  const samples = rate * seconds;
  const view = new DataView(new ArrayBuffer(44 + samples));
  const text = (at: number, of: string) => [...of].forEach((letter, place) => view.setUint8(at + place, letter.charCodeAt(0)));
  text(0, 'RIFF'); view.setUint32(4, 36 + samples, true); text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true); view.setUint16(20, 1, true); view.setUint16(22, 1, true); view.setUint32(24, rate, true);
  view.setUint32(28, rate, true); view.setUint16(32, 1, true); view.setUint16(34, 8, true); text(36, 'data'); view.setUint32(40, samples, true);
  for (let at = 0; at < samples; at += 1) view.setUint8(44 + at, 128 + Math.round(20 * Math.sin((2 * Math.PI * hertz * at) / rate)));
  return URL.createObjectURL(new Blob([view], { type: 'audio/wav' }));
}

/** A number from 0 to 1 that follows from its place, so that every picture is the same. */
export function noise(at: number): number {
  const value = Math.sin(at * 127.1 + 11.7) * 43_758.5453;
  return value - Math.floor(value);
}
