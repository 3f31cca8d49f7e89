/** A draw as people name it by its number, in both languages: `1245`, `#1245`, `draw 1245`, with its counter or the word before it. */

/** The number that a line names, if it names nothing else. */
export function drawNamed(line: string): number | undefined {
  const digits = /^(?:draw|회차|추첨|제)?\s*#?(\d{1,5})\p{L}*$/iu.exec(line.trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}
