/**
 * What is played, while pages change. A section makes one, offers `Player` with it, and plays from its pages:
 *
 *     // playing.ts
 *     export const playing = new Playlist('music');
 *     // Playing.svelte: <Player playlist={playing} />
 *     // offers.ts
 *     player: { shown: () => playing.current !== undefined, load: () => import('./Playing.svelte') },
 *     // on a page
 *     <button onclick={() => playing.play(tracks, 2)}>…</button>
 */

import { persisted, type Persisted } from './persisted.svelte';

export type Track = {
  /** Unique, and kept: by it the place is known at which it was left. */
  id: string;
  /** Its file, of this house. */
  src: string;
  title: string;
  artist?: string;
  /** A picture of this house. */
  artwork?: string;
};

/** Places that are remembered; the oldest gives way. */
const MOST_PLACES = 50;
/** A track that was left this close to its end, or to its beginning, begins anew. */
const EDGE_SECONDS = 5;

export class Playlist {
  tracks = $state.raw<readonly Track[]>([]);
  /** Whether it is to play; a browser may refuse until something was pressed. */
  playing = $state(false);
  #at = $state(0);
  #volume: Persisted<number>;
  #places: Persisted<[id: string, seconds: number][]>;

  /** The name is unique among all: by it the volume and the places are remembered in this browser. */
  constructor(name: string) {
    this.#volume = persisted(`${name}.volume`, 1, (stored) => (typeof stored === 'number' && stored >= 0 && stored <= 1 ? stored : undefined));
    this.#places = persisted<[string, number][]>(`${name}.places`, [], (stored) => (Array.isArray(stored) ? stored.filter(isPlace) : undefined));
  }

  /** The track that is there; undefined when nothing is. Reactive. */
  get current(): Track | undefined {
    return this.tracks[this.#at];
  }

  get volume(): number {
    return this.#volume.value;
  }

  set volume(next: number) {
    this.#volume.value = Math.min(1, Math.max(0, next));
  }

  /** Plays some tracks, from one of them on. */
  play(tracks: readonly Track[], from = 0): void {
    this.tracks = tracks;
    this.#at = Math.min(Math.max(0, from), Math.max(0, tracks.length - 1));
    this.playing = tracks.length > 0;
  }

  get hasNext(): boolean {
    return this.#at + 1 < this.tracks.length;
  }

  get hasPrevious(): boolean {
    return this.#at > 0;
  }

  /** Goes on to the track behind, or in front; where there is none, it stops. */
  go(step: 1 | -1): void {
    const next = this.#at + step;
    if (next >= 0 && next < this.tracks.length) this.#at = next;
    else this.playing = false;
  }

  /** Nothing is there any more. */
  close(): void {
    this.tracks = [];
    this.playing = false;
  }

  /** Where a track was left, in seconds. */
  placeOf({ id }: Track): number {
    return this.#places.value.find(([known]) => known === id)?.[1] ?? 0;
  }

  /** Remembers where a track is now, of how long it is. */
  leave({ id }: Track, seconds: number, duration: number): void {
    const others = this.#places.value.filter(([known]) => known !== id);
    const isEdge = seconds < EDGE_SECONDS || seconds > duration - EDGE_SECONDS;
    this.#places.value = isEdge ? others : [...others, [id, Math.floor(seconds)] as [string, number]].slice(-MOST_PLACES);
  }
}

function isPlace(one: unknown): one is [string, number] {
  return Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'number';
}
