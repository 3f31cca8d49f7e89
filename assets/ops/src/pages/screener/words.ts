/** How rules, their values and their bounds are said. */

import { currentLanguage, t } from '../../lib/i18n.svelte';
import { number, quantity, won, wonInWords } from '../../lib/say';
import type { Node, NodeResult, NodeSetting, Parameter } from './types';

/** The parameters that are bounds of what a rule measures, in its unit. */
const IN_UNIT = ['minimum', 'maximum'];

/** A text of the catalogue in the reader's language. */
export function inWords(text: { ko: string; en: string }): string {
  return text[currentLanguage()];
}

/** A rule's name; its id where this version does not know it. */
export function titleOf(node: Node | undefined, id: string): string {
  return node ? inWords(node.title) : id;
}

/** The parameters of a rule in one line, such as `Window 14 · at least 50`. */
export function sentenceOf(node: Node, { parameters }: Pick<NodeSetting, 'parameters'>): string {
  return node.parameters.flatMap((parameter) => {
    const given = parameters as Record<string, unknown>;
    const value = parameter.name in given ? given[parameter.name] : parameter.default;
    const said = parameterInWords(node, parameter, value);
    return said === '' ? [] : [said];
  }).join(' · ');
}

function parameterInWords(node: Node, parameter: Parameter, value: unknown): string {
  const title = inWords(parameter.title);
  if (parameter.kind === 'flag') return value === true ? title : '';
  if (parameter.kind === 'choice') return `${title}: ${choiceInWords(parameter, value)}`;
  if (parameter.kind === 'text') return value ? `${title}: ${String(value)}` : '';
  if (typeof value !== 'number') return `${title} –`;
  return `${title} ${IN_UNIT.includes(parameter.name) ? measured(node, value, true) : quantity(value, 4)}`;
}

function choiceInWords({ choices }: Parameter, value: unknown): string {
  const choice = choices.find((one) => one.value === value);
  return choice ? inWords(choice.title) : String(value);
}

/** A value in its unit; a `bound` as it was entered, without zeros that say nothing. */
export function measured(node: Node | undefined, value: number, bound = false): string {
  const exact = bound ? quantity(value, 4) : number(value, 2);
  switch (node?.unit) {
    case 'won': return won(Math.round(value));
    case 'million_won': return wonInWords(Math.round(value * 1e6));
    case 'hundred_million_won': return wonInWords(Math.round(value * 1e8));
    case 'percent': return `${exact}%`;
    case 'times': return t('screener.unit.times', { value: exact });
    case 'days': return t('screener.unit.days', { value: number(value) });
    case 'flag': return value > 0 ? t('screener.unit.yes') : t('screener.unit.no');
    default: return exact;
  }
}

/** What a rule has found of a stock. */
export function found(node: Node | undefined, { value, text, verdict }: NodeResult): string {
  if (text !== null && text !== undefined) return text;
  if (value !== null && value !== undefined) return measured(node, value);
  return verdict === 'missing' ? t('screener.verdict.missing') : node?.unit === 'word' ? '–' : t('screener.absent');
}

/** Between which bounds a value passes. */
export function bounded(node: Node | undefined, { threshold: { minimum, maximum } }: NodeResult): string {
  const [least, most] = [minimum, maximum].map((bound) => (bound === null || bound === undefined ? undefined : measured(node, bound, true)));
  if (node?.unit === 'flag') return most === undefined ? '' : most;
  if (least !== undefined && most !== undefined) return `${least} ~ ${most}`;
  if (least !== undefined) return t('screener.bound.least', { value: least });
  return most === undefined ? '' : t('screener.bound.most', { value: most });
}

/** What a parameter is entered as: its name, with its unit where that is no plain number. */
export function labelOf({ unit }: Node, { name, title }: Parameter): string {
  const said = inWords(title);
  if (!IN_UNIT.includes(name) || unit === 'points' || unit === 'flag' || unit === 'word') return said;
  return `${said} (${t(`screener.in.${unit}`)})`;
}
