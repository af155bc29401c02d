import type { ReadReply } from '../../contract/sandbox-protocol.ts';
import { CompileFailure, EndOfSource } from './compile-failure.ts';
import { readForms } from './reader/reader.ts';

/**
 * Whether a text can be evaluated, as the reader sees it: so an unclosed string, or a prefix without its form, waits
 * for more just as an unclosed bracket does. A text that no further text can mend is complete: evaluating it says why.
 */
export function readiness(source: string): ReadReply['status'] {
  try {
    return readForms(source).length === 0 ? 'empty' : 'complete';
  } catch (thrown) {
    if (thrown instanceof EndOfSource) return 'incomplete';
    if (thrown instanceof CompileFailure || thrown instanceof RangeError) return 'complete';
    throw thrown;
  }
}
