/**
 * What is entered into a form, until the server has taken it. A refusal stands beside the fields that it names; what it says of
 * the whole stands over the buttons. With `Field.svelte`:
 *
 *     const plant = form({ title: '', every: 7 as number | null });
 *     const send = (body: NewPlant, header: Header) => call(api.POST('/api/plants', { body, params: { header } }));
 *
 *     <form class="stack" novalidate onsubmit={(event) => plant.submit(send, event)}>
 *       <Field form={plant} name="title" label={t('plants.title')} />
 *       <Field form={plant} name="every" type="number" label={t('plants.every')} unit={t('plants.days')} />
 *       <FormFoot form={plant} label={t('shell.save')} />
 *     </form>
 */

import { tick, untrack } from 'svelte';
import { ApiError, asApiError } from './api';
import { Attempt } from './attempt';
import type { Draft } from './draft';
import { localized } from './localized';

/** The key that a request is done once under. */
export type Header = { 'Idempotency-Key': string };

/**
 * Make it while a component is set up, with what stands in its fields at first. With a `draft` what is typed is there again
 * when the page is left: `form(EMPTY, draft('plant', EMPTY))`.
 */
export function form<Values extends object>(initial: Values, kept?: Draft<Values>): Form<Values> {
  const made = new Form(initial);
  if (kept) {
    made.values = structuredClone(kept.value);
    $effect(() => {
      kept.value = $state.snapshot(made.values) as Values;
    });
  }
  return made;
}

export class Form<Values extends object> {
  /** What stands in the fields now. */
  values: Values = $state()!;
  /** Whether it is on its way. */
  busy = $state(false);
  #initial: Values = $state.raw()!;
  #error = $state.raw<ApiError>();
  /** What was sent when that was refused: a field that was changed since is not refused any more. */
  #refused = $state.raw<Values>();
  /** The fields that show by themselves what is said of them. */
  #shown = new Set<string>();
  #attempt = new Attempt();

  /** Whether anything was changed. */
  readonly dirty: boolean = $derived.by(() => !isSame(this.values, this.#initial));
  /** What is said of the form as a whole, with the fields that it does not show; undefined when each stands beside its field. */
  readonly problem: ApiError | undefined = $derived.by(() => this.#ofWhole());

  constructor(initial: Values) {
    this.start(initial);
  }

  /** Fills the fields anew, such as with what was saved: that is where it starts from now. */
  start(values: Values): void {
    this.#initial = structuredClone($state.snapshot(values)) as Values;
    this.values = structuredClone(this.#initial);
    this.#error = undefined;
  }

  /**
   * Starts from what was loaded, and anew when that changes, unless somebody has changed a field:
   * `changes.follow(() => plant.data && { title: plant.data.title })`. Call it while a component is set up.
   */
  follow(values: () => Values | undefined): void {
    $effect(() => {
      const loaded = values();
      if (loaded && !this.dirty) untrack(() => this.start(loaded));
    });
  }

  /** What the server says of a field; undefined when it has nothing against it, or when the field was changed since. */
  refusal(name: keyof Values & string): string | undefined {
    if (!this.#error || !isSame(this.values[name], this.#refused?.[name])) return undefined;
    const said = pathsOf(this.#error, name).map((path) => localized(this.#error!.said.fields[path], this.#error!.fields[path]!));
    return said.length > 0 ? said.join(' ') : undefined;
  }

  /** A field shows what is said of it; until the end of it, which is given back. `Field` does it. */
  shows(name: string): () => void {
    this.#shown.add(name);
    return () => this.#shown.delete(name);
  }

  /**
   * Sends what stands in the fields, once, under a key that is kept while nobody knows whether it was done. When the server
   * has taken it, the form stands as it started (`start` it with what was saved to keep that); when it refuses, the first
   * refused field has the focus. Gives whether it was taken; while it is on its way, false.
   */
  submit = async (send: (values: Values, header: Header) => Promise<unknown>, event?: SubmitEvent): Promise<boolean> => {
    event?.preventDefault();
    if (this.busy) return false;
    const element = event?.currentTarget as HTMLFormElement | null | undefined;
    const values = $state.snapshot(this.values) as Values;
    this.busy = true;
    this.#error = undefined;
    try {
      await this.#attempt.send(values, (header) => send(values, header));
      this.start(this.#initial);
      return true;
    } catch (cause) {
      this.#refused = values;
      this.#error = asApiError(cause);
      await tick();
      element?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return false;
    } finally {
      this.busy = false;
    }
  };

  #ofWhole(): ApiError | undefined {
    if (!this.#error) return undefined;
    const { code, status, message, fields, retry_after, said } = this.#error;
    const beside = new Set([...this.#shown].flatMap((name) => pathsOf(this.#error!, name)));
    if (beside.size === 0) return this.#error;
    const others = <T>(of: Record<string, T>) => Object.fromEntries(Object.entries(of).filter(([path]) => !beside.has(path)));
    const left = others(fields);
    return Object.keys(left).length > 0 ? new ApiError(code, status, message, left, retry_after, { ...said, fields: others(said.fields) }) : undefined;
  }
}

/** The refused paths of a field: its own and those within it, such as `sets[3]` or `address.city`. */
function pathsOf({ fields }: ApiError, name: string): string[] {
  return Object.keys(fields).filter((path) => path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** An amount as it is typed, such as `1,200` or `12.50`, as digits without groups; null for none, undefined for what is no amount. */
export function readAmount(typed: string, decimals = 0): string | null | undefined {
  const text = typed.replace(/[,\s\p{Sc}\uc6d0]/gu, '').replace('−', '-');
  if (text === '' || text === '-') return null;
  const pattern = decimals > 0 ? new RegExp(`^-?\\d+(?:\\.\\d{0,${decimals}})?$`) : /^-?\d+$/;
  return pattern.test(text) ? text.replace(/^(-?)0+(?=\d)/, '$1') : undefined;
}
