/** How large a document may be (documents.md §1). Every value and every object key is one node; the root's depth is 1. */
export interface JsonLimits {
  readonly bytes: number;
  readonly depth: number;
  readonly nodes: number;
  /** Digits of an integer; absent: any number of them, as documents may have. A longer one is `too_large`. */
  readonly integerDigits?: number;
}

/**
 * Digits of the longest integer that a program can make (1,000,000 bits, language.md §20). Texts that come out of a
 * program have none longer, so that reading one takes time in proportion to the text, whoever wrote it.
 */
export const PROGRAM_INTEGER_DIGITS = 301_030;

/** The limits of every document of that many bytes: depth 64, 100000 nodes (documents.md §1). */
export function documentLimits(bytes: number): JsonLimits {
  return { bytes, depth: 64, nodes: 100_000 };
}

/** Why a text is not an admissible document; `offset` is the byte at which that was seen. */
export type JsonFault =
  | { readonly kind: 'syntax' | 'encoding' | 'too_large' | 'too_deep' | 'too_many_nodes'; readonly offset: number }
  | DuplicateKey;

/** `pointer` is the object that holds the key twice, `offset` the key's repetition. */
export interface DuplicateKey {
  readonly kind: 'duplicate_key';
  readonly offset: number;
  readonly pointer: string;
}
