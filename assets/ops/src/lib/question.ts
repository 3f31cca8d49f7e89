/** What is asked before something that cannot be taken back: `confirm(question)`. */

export type Question = {
  title: string;
  /** What comes of it, a paragraph each. */
  consequence: string | string[];
  /** What goes with it, or is moved by it, by name and value. */
  facts?: { name: string; value: string }[];
  /** What it takes or moves, in large. */
  amount?: { name: string; value: string };
  /** What must be ticked first. */
  tick?: string;
  /** What must be typed first, such as the name of what goes. */
  word?: string;
  /** On the button that does it: what is done, never "OK". */
  label: string;
  /** `danger` for what is lost by it. */
  tone?: 'danger' | 'plain';
  /** Does it, while the window stays; what it throws is shown, and can be tried again. */
  run?: () => Promise<unknown>;
  /** What is said over a refusal of `run`. */
  failed?: string;
};

/** Whether the button that does it can be pressed. */
export function isMet({ tick, word }: Question, isTicked: boolean, typed: string): boolean {
  return (!tick || isTicked) && (!word || typed.trim() === word);
}
