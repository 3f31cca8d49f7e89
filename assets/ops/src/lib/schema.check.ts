/**
 * Compile-time proof that the shapes of `types.ts` and `paths.ts` are those of the server's own document, from which
 * `npm run types` makes `generated/schema.d.ts`. A difference is a type error here that names the route. Nothing of it is bundled.
 */

import type { paths as Ours } from './paths';
import type { paths as Theirs } from '../../generated/schema';

type Method = 'get' | 'post' | 'put' | 'delete';
type Shared = keyof Ours & keyof Theirs;

/** Routes whose answer is not what the app expects, as `get /api/…`. */
export type WrongAnswers = {
  [Path in Shared]: {
    [M in keyof Ours[Path] & keyof Theirs[Path] & Method]:
      [Wide<Sent<Answer<Theirs[Path][M]>>>] extends [Wide<Answer<Ours[Path][M]>>] ? never : `${M} ${Path}`;
  }[keyof Ours[Path] & keyof Theirs[Path] & Method];
}[Shared];

/** Routes that do not take what the app may send. */
export type WrongRequests = {
  [Path in Shared]: {
    [M in keyof Ours[Path] & keyof Theirs[Path] & Method]:
      [Part<Ours[Path][M], 'query'>, Part<Ours[Path][M], 'path'>, Body<Ours[Path][M]>] extends
        [Part<Theirs[Path][M], 'query'>, Part<Theirs[Path][M], 'path'>, Body<Theirs[Path][M]>] ? never : `${M} ${Path}`;
  }[keyof Ours[Path] & keyof Theirs[Path] & Method];
}[Shared];

/** Routes that the server does not have. */
export type Missing = Exclude<keyof Ours, keyof Theirs>;

export type Proof = [None<WrongAnswers>, None<WrongRequests>, None<Missing>];

type None<T extends never> = T;

type Answer<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses & (200 | 201 | 202)]: Json<Responses[Status]> }[keyof Responses & (200 | 201 | 202)]
  : never;
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;

type Body<Operation> = Operation extends { requestBody: infer Request } ? Json<Request> : never;
type Part<Operation, Key extends string> =
  Operation extends { parameters: infer Parameters } ? Key extends keyof Parameters ? Exclude<Parameters[Key], undefined> : never : never;

/** The generator calls a field that may be null optional, too; the server always sends it. */
type Sent<T> = T extends readonly (infer Item)[] ? Sent<Item>[] : T extends object ? { [Key in keyof T]-?: Sent<T[Key]> } : T;

/** A closed set of words or numbers that the document calls a text or a number is no difference. */
type Wide<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T extends readonly (infer Item)[] ? Wide<Item>[]
  : T extends object ? { [Key in keyof T]: Wide<T[Key]> } : T;
