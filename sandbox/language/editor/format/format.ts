import { CompileFailure } from '../../compile-failure.ts';
import { readSource } from '../../compile.ts';
import { textTree } from '../text-tree.ts';
import { Layout } from './layout.ts';
import { readAlike } from './read-alike.ts';

export type Formatted =
  | { readonly ok: true; readonly text: string }
  /** The text cannot be read: where, in UTF-16 units, and why. */
  | { readonly ok: false; readonly message: string; readonly offset: number };

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A text of svc-lisp laid out as `svc fmt` does: lines stay where their author broke them, but for the pairs of a map
 * that is not on one line. Comments and strings stay as they are, to the byte; a second time changes nothing. Throws if
 * the result would not read as the text did, which is a bug.
 */
export function formatSource(source: string): Formatted {
  const mark = source.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const text = source.slice(mark.length);
  try {
    const forms = readSource(text);
    const formatted = new Layout(text, textTree(text)).text();
    if (!readAlike(forms, readSource(formatted))) throw new Error('a formatted text reads otherwise');
    return { ok: true, text: mark + formatted };
  } catch (thrown) {
    if (!(thrown instanceof CompileFailure)) throw thrown;
    return { ok: false, message: thrown.message, offset: mark.length + (thrown.place?.start ?? 0) };
  }
}
