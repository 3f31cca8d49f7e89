/** A picture on its way into the house. */

import { ApiError } from '../../lib/api';
import { upload } from '../../lib/upload';
import { SHOWN } from './pictures';

/** Sends a picture; gives its address. What no browser shows is refused, whatever it calls itself. */
export async function bringPicture(file: File, told: (percent: number) => void, signal: AbortSignal): Promise<string> {
  const refuse = () => new ApiError('NO_PICTURE', 422, '');
  if (!SHOWN.includes(file.type)) throw refuse();
  const address = `/api/files/${await upload(file, told, signal)}`;
  const head = await fetch(address, { method: 'HEAD', credentials: 'same-origin', signal });
  if (!SHOWN.includes(head.headers.get('Content-Type') ?? '')) throw refuse();
  return address;
}
