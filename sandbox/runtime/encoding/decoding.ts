import type { Effects } from '../effects.ts';
import type { LazyBody } from '../values/lazy-seq.ts';
import type { HashedCollections } from './hashed.ts';
import type { TextReader } from './text-reader.ts';
import type { EncodingWorld } from './world.ts';

/** What is behind the tag of a compound value, before its parts. */
export interface Head {
  /** Values that follow, metadata not counted. */
  readonly parts: number;
  /** Names and numbers that are no values of their own. */
  readonly said?: readonly string[];
  /** Numbers it takes, where it takes them after its count is known. */
  readonly slots?: number;
}

/** A compound value whose parts are there. */
export interface Parts {
  /** Of nobody else. */
  readonly items: unknown[];
  readonly said: readonly string[];
  readonly meta: unknown;
  /** Its number. */
  readonly slot: number;
}

/** What the readers of compound values see of the decoder. */
export interface Decoding {
  readonly reader: TextReader;
  readonly world: EncodingWorld;
  readonly effects: Effects;
  readonly hashed: HashedCollections;
  /** What each number means. */
  readonly table: unknown[];
  /** The next value with all its parts. */
  read(): unknown;
  /** As many values, in an array of their own. */
  items(count: number): unknown[];
  /** A text that is part of a head. */
  name(): string;
  /** Something changeable: its content follows behind the value. */
  readonly later: <T extends object>(holder: T) => T;
  /** Whether all that was read so far can be hashed. */
  readonly canHash: () => boolean;
  /** A body of the runtime's own lazy seqs. */
  body(name: string): LazyBody;
}

/** How values of one tag are read. */
export interface Compound {
  /** When its numbers are taken: with the tag, never, only with metadata, or as its head says. */
  readonly numbered: 'tag' | 'never' | 'metadata' | 'head';
  readonly head: (decoding: Decoding, hasMeta: boolean) => Head;
  readonly make: (parts: Parts, decoding: Decoding) => unknown;
}

export type Compounds = Readonly<Record<string, Compound>>;
