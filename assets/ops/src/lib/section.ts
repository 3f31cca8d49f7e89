/**
 * What a section of the app says about itself, once, in `pages/<section>/section.ts`. The router, the navigation, the
 * palette and the shortcuts gather it from there (`sections.ts`), and none of them knows a section by its name. The
 * declarations are loaded before anything is shown: what a page needs comes with the page, by `import()`.
 */

import type { Component, Snippet } from 'svelte';
import type { IconName } from './components/icons';
import type { Subject } from './events.svelte';
import type { MessageKey } from './i18n.svelte';
import type { Resource } from './resource.svelte';
import type { Today } from './schema';

export type Section = {
  /** Its address; `/` is the page that opens first. The server answers the first part of it with the app. */
  path: `/${string}`;
  /** In the navigation, the palette and the window's title. */
  name: MessageKey;
  /** What it is known by: the `d` of one path, drawn as `components/icons.ts` says. */
  icon: string;
  /** Its place in the navigation; the smallest comes first. */
  order: number;
  /** A line divides it from the sections before it. */
  apart?: boolean;
  /** The shortcut that leads to it, such as `g t`. */
  keys: string;
  /** What is wrong with it, as a mark at its entry; undefined when nothing is. Reactive. */
  warning?: () => MessageKey | undefined;
  page: () => Promise<{ default: Component }>;
  /** The frame around its page and its inner pages. */
  frame?: () => Promise<{ default: Component<{ children: Snippet }> }>;
  inner?: InnerPage[];
  /** What can be done from anywhere, by the palette or by a shortcut. */
  actions?: Action[];
};

export type InnerPage = {
  /** Its address after the section's own. */
  path: `/${string}`;
  /** In the palette, where nothing around it says which section it belongs to. */
  name: MessageKey;
  page: () => Promise<{ default: Component }>;
};

export type Action = {
  name: MessageKey;
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

/** How the palette finds things of a section: what `pages/<section>/search.svelte.ts` exports, loaded with the palette. */
export type Search = {
  /** Over what was found. */
  name: MessageKey;
  /** What can be typed to find one, in the palette's empty line. */
  example: MessageKey;
  /** Finds a thing by its exact name or number: it stands above the pages. */
  exact?: boolean;
  /** Called while the palette is set up: what fits the query, nothing for an empty one; reactive. */
  begin: (query: () => string) => { readonly found: Found[] };
};

export type Found = {
  /** Unique in its search. */
  id: string | number;
  name: string;
  /** Instead of the section's own. */
  icon?: IconName;
  /** Quiet words at the end of the line. */
  hint?: string;
  /** Shown instead of the name. */
  picture?: { component: Component<any>; props: Record<string, unknown> };
  /** The address that it leads to. */
  open: string;
};

/** What a section has on Today: what `pages/<section>/today.ts` exports, loaded with that page. */
export type TodayPart = {
  /** The subjects whose change it shows. */
  changes: Subject[];
  /** What needs the household now, from the day's facts. Pure but for the language. */
  needs?: (today: Today, now: number) => Need[];
  /** In the order of the sections. */
  cards?: TodayCard[];
};

export type TodayCard = {
  card: Component<TodayProps>;
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
  /** Quiet words after the text. */
  hint?: string;
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
