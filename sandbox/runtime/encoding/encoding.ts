import type { LazyBody } from '../values/lazy-seq.ts';
import { EncodingStop, type EncodingWorld } from './world.ts';

/** What the writers of compound values see of the encoder. */
export interface Encoding {
  readonly world: EncodingWorld;
  write(text: string): void;
  /** A text as a value, or as a part of a head. */
  text(text: string): void;
  /** Nil, a boolean, a number or a text, at once. */
  scalar(value: string | number | boolean | null): void;
  /** True when the value is in the text already, and its number was written; else it gets the next one. */
  stands(value: object): boolean;
  /** Gives the next number to a cell that is written as part of another; false when it has one. */
  takes(cell: object): boolean;
  /** The number among the objects hashed by identity, where there is one. */
  identity(value: object): void;
  /** The parts of a value in their order, behind its metadata where it has some: the last that is written of it. */
  next(values: readonly unknown[], meta?: unknown): void;
  /** A tag of something changeable, whose content comes behind the value. */
  later(tag: string, holder: object): void;
  /** Refuses a collection that cannot fit before its elements are laid out: each is at least one unit. */
  refuseCount(count: number): void;
  /** Notes that the code of this unit is needed. */
  unit(id: string): void;
  bodyName(body: LazyBody): string | null;
}

/** Stops the encoding at a value that belongs to its evaluation. */
export function refuse(what: string): never {
  throw new EncodingStop({ kind: 'not_retainable', what });
}
