/**
 * How large a document may be (documents.md §1). Every value and every object key is one node; the root's depth is 1.
 */
export interface JsonLimits {
  readonly bytes: number;
  readonly depth: number;
  readonly nodes: number;
}

/** The limits of every document of that many bytes: depth 64, 100000 nodes (documents.md §1). */
export function documentLimits(bytes: number): JsonLimits {
  return { bytes, depth: 64, nodes: 100_000 };
}

/** Why a text is not an admissible document; `offset` is the byte at which that was seen. */
export type JsonFault =
  | {
      readonly kind: 'syntax' | 'encoding' | 'too_large' | 'too_deep' | 'too_many_nodes' | 'too_many_digits';
      readonly offset: number;
    }
  | DuplicateKey;

/** `pointer` is the object that holds the key twice, `offset` the key's repetition. */
export interface DuplicateKey {
  readonly kind: 'duplicate_key';
  readonly offset: number;
  readonly pointer: string;
}
