/** Whether a code point belongs to a set. */
export type CharTest = (codePoint: number) => boolean;

/** The parsed form of a pattern. */
export type PatternNode =
  | { readonly kind: 'empty' }
  | { readonly kind: 'set'; readonly test: CharTest; readonly literal: number | null }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'group'; readonly index: number; readonly body: PatternNode }
  | {
      readonly kind: 'repeat';
      readonly body: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    }
  | { readonly kind: 'atomic'; readonly body: PatternNode }
  | { readonly kind: 'look'; readonly body: PatternNode; readonly behind: boolean; readonly negative: boolean }
  | { readonly kind: 'assert'; readonly where: Place }
  | { readonly kind: 'reference'; readonly group: number; readonly fold: ((codePoint: number) => number) | null };

/** Zero-width places. */
export type Place =
  | 'start'
  | 'end'
  | 'final-end'
  | 'final-end-unix'
  | 'line-start'
  | 'line-start-unix'
  | 'line-end'
  | 'line-end-unix'
  | 'word'
  | 'not-word'
  | 'unicode-word'
  | 'not-unicode-word'
  | 'previous-end';

/** A pattern that breaks a rule; the message says where. */
export class PatternFault {
  readonly message: string;
  readonly index: number;
  constructor(message: string, index: number) {
    this.message = message;
    this.index = index;
  }
}

/** Flags that a pattern can switch. */
export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly comments: boolean;
  readonly unixLines: boolean;
  readonly unicodeCase: boolean;
  readonly unicodeClasses: boolean;
}

export const NO_FLAGS: Flags = {
  ignoreCase: false,
  multiline: false,
  dotAll: false,
  comments: false,
  unixLines: false,
  unicodeCase: false,
  unicodeClasses: false,
};
