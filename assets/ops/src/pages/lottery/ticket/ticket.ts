/**
 * Reads the address in the QR code of a ticket of the operator: which draw, which games, and the ticket's own number. The
 * address is never opened. Pure.
 *
 * `v` is the draw in four digits, then for each of at most five games a mark and twelve digits: `q` the machine chose the
 * numbers, `m` the buyer, `s` both, `n` an empty place. At the end stand ten or eighteen digits that are the ticket's own;
 * which of them check the others is not published, so only their count is looked at.
 */

export type GameMark = 'auto' | 'manual' | 'both';
export type Ticket = {
  draw_no: number;
  games: { numbers: number[]; mark: GameMark }[];
  /** The ticket's own number with its draw; undefined where the code has none. */
  ticket: string | undefined;
};
/** Why a code is no ticket: of someone else, of another game of the operator, or not whole. */
export type NoTicket = 'foreign' | 'other_game' | 'broken';

const HOSTS = /^(?:(?:www|m|qr)\.)?(?:dhlottery\.co\.kr|nlotto\.co\.kr)$/;
const WHOLE = /^(?<draw>\d{4})(?<games>(?:[mqsn]\d{12}){1,5})(?<own>\d{18}|\d{10})?$/;
const MARKS: Record<string, GameMark> = { q: 'auto', m: 'manual', s: 'both' };
const HIGHEST = 45;

/** The ticket that a code says, or why it is none. */
export function readTicket(code: string): Ticket | NoTicket {
  const value = valueOf(code.replaceAll('\ufeff', '').trim());
  if (value === undefined) return 'foreign';
  if (/^p|^\d{1,6}p/.test(value)) return 'other_game';
  const found = WHOLE.exec(value)?.groups;
  if (!found?.['draw'] || !found['games']) return 'broken';
  const places = found['games'].match(/[mqsn]\d{12}/g) ?? [];
  const games = places.filter((place) => place[0] !== 'n').map((place) => ({
    mark: MARKS[place.charAt(0)] ?? 'both',
    numbers: (place.slice(1).match(/\d\d/g) ?? []).map(Number).sort((a, b) => a - b),
  }));
  const areEmpty = places.filter((place) => place[0] === 'n').every((place) => /^n0{12}$/.test(place));
  const draw_no = Number(found['draw']);
  if (!areEmpty || draw_no < 1 || games.length === 0 || !games.every(({ numbers }) => isGame(numbers))) return 'broken';
  const own = found['own'];
  return { draw_no, games, ticket: own && /[1-9]/.test(own) ? `${found['draw']}-${own}` : undefined };
}

/** What the code tells the operator's page; undefined when it is no address of the operator. */
function valueOf(code: string): string | undefined {
  if (!URL.canParse(code)) return undefined;
  const { protocol, hostname, port, username, searchParams } = new URL(code);
  if (!/^https?:$/.test(protocol) || !HOSTS.test(hostname) || port !== '' || username !== '') return undefined;
  const values = searchParams.getAll('v');
  return values.length === 1 ? values[0]?.replaceAll('\ufeff', '') : undefined;
}

function isGame(numbers: number[]): boolean {
  return new Set(numbers).size === 6 && numbers.length === 6 && numbers.every((number) => number >= 1 && number <= HIGHEST);
}
