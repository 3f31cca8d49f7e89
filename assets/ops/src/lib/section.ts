/**
 * What a section of the app says about itself, once. `pages/<section>/section.ts` says where its pages are: the router and the
 * navigation gather it from there (`sections.ts`), before anything is shown, so it is as little as can be. `offers.ts` beside it
 * says what the section offers on every page, and comes after the first one (`offers.ts`); what a page needs comes with the
 * page, by `import()`. Nothing that gathers them knows a section by its name.
 *
 *     export default {
 *       path: '/plants', name: 'plants.name', icon: 'M12 21v-9…', group: 'everyday', order: 25, keys: 'g p',
 *       page: () => import('./Plants.svelte'),
 *       inner: [{ path: '/:id', name: 'plants.name', page: () => import('./Plant.svelte') }],
 *     } satisfies Section;
 *
 *     export default { search: { kind: 'plant' }, actions: [{ name: 'plants.action.add', icon: 'plus', open: '/plants?new=1' }] } satisfies Offers;
 */

import type { Component, Snippet } from 'svelte';
import type { IconName } from './components/icons';
import type { Subject } from './events.svelte';
import type { Kind, Piece, Standing } from './found.svelte';
import type { MessageKey } from './i18n.svelte';
import type { Resource } from './resource.svelte';
import type { Today } from './schema';

/** What sections can belong together for, in the order of the navigation; each is named in `shell.group.*`. */
export const GROUPS = ['money', 'everyday', 'work'] as const;
export type Group = (typeof GROUPS)[number];

export type Section = {
  /** Its address; `/` is the page that opens first. The server answers the first part of it with the app. */
  path: `/${string}`;
  /** In the navigation, the palette and the window's title. */
  name: MessageKey;
  /** What it is known by: the `d` of one path, drawn as `components/icons.ts` says. */
  icon: string;
  /** What it stands among in the navigation: a group, before them all, or behind them all, where it is always in reach. */
  group: Group | 'first' | 'last';
  /** Its place there; the smallest comes first. */
  order: number;
  /** The shortcut that leads to it, such as `g t`. */
  keys: string;
  page: () => Promise<{ default: Component }>;
  /** The frame around its page and its inner pages. */
  frame?: () => Promise<{ default: Component<{ children: Snippet }> }>;
  inner?: InnerPage[];
};

/** What a section offers on every page, once that is shown. */
export type Offers = {
  /** What is wrong with it, as a mark at its entry; undefined when nothing is. Reactive. */
  warning?: () => MessageKey | undefined;
  /** How much waits in it, as a number at its entry. */
  badge?: Badge;
  /** What its own page is called among its inner pages, where that says more than the name. */
  pageName?: MessageKey;
  /** Other words that the palette finds its pages by: what people call that which is on them. */
  words?: MessageKey;
  /** The same for some of its pages, by their addresses after its own. */
  innerWords?: Partial<Record<`/${string}` | '', MessageKey>>;
  /** What it has to say on every page, above it; it shows nothing most of the time. Its sentences are of the shell's room. */
  companion?: Component;
  /** What goes on while pages change, such as music that plays: it stands at the lower edge, above the tabs of a phone. */
  player?: Player;
  /** What can be done from anywhere, by the palette or by a shortcut. */
  actions?: Action[];
  /** What keys do on its pages beside the shortcuts, for the list of all keys. */
  pageKeys?: PageKeys[];
  /** What the palette finds of it, with the server's help: `{ kind: 'plant' }`, or several. */
  search?: FoundByKind | FoundByKind[];
  /** The outside providers whom it asks, where somebody may have them asked again. */
  providers?: AskedProvider[];
};

export type PageKeys = {
  /** As they stand on a keyboard; those that do the same, or are pressed together as in `Ctrl+S`. */
  keys: string[];
  /** What they do. */
  name: MessageKey;
};

export type AskedProvider = {
  /** As the server calls it. */
  name: string;
  /** Has it asked again; a refusal is shown with what to do about it. */
  fetch: () => Promise<unknown>;
  /** The message once that has begun; it is said in the shell. */
  done: MessageKey;
};

export type Badge = {
  /** The subjects whose change it shows. */
  changes: Subject[];
  /** From the day's facts; zero is not shown. */
  count: (today: Today) => number;
  /** What is counted, with `{count}`, for those who do not see the number. */
  name: MessageKey;
};

export type Player = {
  /** Whether it is there; its file is loaded when it first is. Reactive. */
  shown: () => boolean;
  load: () => Promise<{ default: Component }>;
};

export type InnerPage = {
  /**
   * Its address after the section's own. A part `:id` stands for any text, which the page takes as its property `id`:
   * `{ path: '/:id', name: 'plants.one', page: () => import('./Plant.svelte') }` with `let { id }: { id: string } = $props()`.
   * Another `id` is another page: it is set up anew. Such a page is not in the palette; it may name itself (`pageTitle`).
   */
  path: `/${string}`;
  /** In the palette and the window's title, where nothing around it says which section it belongs to. */
  name: MessageKey;
  page: () => Promise<{ default: Component<any> }>;
};

export type Action = {
  name: MessageKey;
  /** Other words that the palette finds it by. */
  words?: MessageKey;
  icon: IconName;
  /** The shortcut that does it. */
  keys?: string;
} & (
  | {
      /** The address that it leads to, with what the page is told in its query. */
      open: string;
    }
  | {
      /** A refusal is shown with what to do about it. */
      run: () => Promise<unknown>;
      /** The message once it is done. */
      done: MessageKey;
    }
);

/** Things that the server finds by words: a kind that the domain declares in its `search`. */
export type FoundByKind = {
  kind: Kind;
  /** Over what was found; without it the section's name. */
  name?: MessageKey;
  /** What can be typed to find one, in the palette's empty line. */
  example?: MessageKey;
  /** The name of one that has none. */
  untitled?: MessageKey;
};

/**
 * How the palette finds things of a section otherwise than by `Offers.search`: what `pages/<section>/search.svelte.ts` exports,
 * one or a list, loaded with the palette.
 */
export type Search = {
  /** Over what was found. */
  name: MessageKey;
  /** What can be typed to find one, in the palette's empty line. */
  example?: MessageKey | undefined;
  /** Finds a thing by its exact name or number: it stands above the pages. */
  exact?: boolean;
  /** Called while the palette is set up: what fits the query, nothing for an empty one, and how far the search has come; reactive. */
  begin: (query: () => string) => Standing & { readonly found: Found[] };
};

export type Found = {
  /** Unique in its search. */
  id: string | number;
  name: string;
  /** Instead of the section's own. */
  icon?: IconName;
  /** Quiet words at the end of the line. */
  hint?: string;
  /** The name, with what was looked for in it. */
  pieces?: Piece[];
  /** Where its text says what was looked for; nothing for what its name says. */
  excerpt?: Piece[];
  /** Shown instead of the name. */
  picture?: { component: Component<any>; props: Record<string, unknown> };
  /** The address that it leads to. */
  open: string;
};

/** What a section has on Today: what `pages/<section>/today.ts` exports, loaded with that page. */
export type TodayPart = {
  /** The subjects whose change it shows. */
  changes: Subject[];
  /** What needs the household now, from the day's facts; each is asked by itself, so that facts that could not be read silence no others. Pure but for the language. */
  needs?: Needs | Needs[];
  /** What is worth doing in the first days, in its order; shown until each is done or skipped. */
  steps?: FirstStep[];
  /** In the order of the sections, until the household orders them. */
  cards?: TodayCard[];
};

export type Needs = (today: Today, now: number) => Need[];

export type FirstStep = {
  /** Unique in its section, and kept: by it a step that was skipped is known. */
  id: string;
  name: MessageKey;
  /** Why, or where it stands, from the day's facts. */
  text: (today: Today) => string;
  /** Whether there is nothing left to do, or nothing that a need does not say already. Without it only the household can say so. Reactive. */
  done?: (today: Today) => boolean;
  /** Where it is done, if that is in these pages. */
  act?: (today: Today) => { label: MessageKey; open: string } | undefined;
};

export type TodayCard = {
  /** Unique in its section, and kept: by it the household's order knows the card. */
  id: string;
  /** Where cards are put in order, and in the place of a card that cannot be shown. */
  name: MessageKey;
  /** Loaded where it is shown; a hidden card never is. */
  card: () => Promise<{ default: Component<TodayProps> }>;
  /** It takes two of the three columns. */
  wide?: boolean;
};

export type TodayProps = {
  /** The day's facts. */
  today: Today;
  /** Where they come from: what is changed here shows there before the server has confirmed it. */
  day: Resource<Today>;
};

/** A line at the top of Today with the one button that deals with it. */
export type Need = {
  /** Unique in its section. */
  id: string | number;
  /** Its place among the needs of all sections; the smallest comes first. */
  rank: number;
  urgent?: boolean;
  /** Of what kind it is, in a word or two. */
  name: MessageKey;
  text: string;
  /** What it comes from, where others may come from it too: of those the foremost alone is shown. */
  cause?: string | undefined;
  /** Quiet words after the text. */
  hint?: string;
  /** How many things it stands for; left out it is one. */
  count?: number;
  act:
    | {
        /** The address of the page that deals with it. */
        open: string;
      }
    | {
        /** On the button. */
        label: string;
        /** What the button is called where its line is not seen. */
        described?: string;
        /** A refusal is shown with what to do about it. */
        run: (day: Resource<Today>) => Promise<unknown>;
        /** The message once it is done. */
        done?: MessageKey;
      };
};
