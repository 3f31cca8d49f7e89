/** Whether a page that was asked for is still on its way. */

let going = $state(0);

/** True while a page is being loaded; reactive. */
export function isGoing(): boolean {
  return going > 0;
}

/** Says so while `load` works. */
export async function whileGoing<T>(load: () => Promise<T>): Promise<T> {
  going += 1;
  try {
    return await load();
  } finally {
    going -= 1;
  }
}
