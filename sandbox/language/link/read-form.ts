import { valueError } from '../../runtime/errors.ts';
import { get } from '../../runtime/lookup.ts';
import { keyword } from '../../runtime/values/keyword.ts';
import { ABSENT, LispMap } from '../../runtime/values/map.ts';
import { CompileFailure } from '../compile-failure.ts';
import { syntaxValue } from '../reader/data.ts';
import { readFirstForm } from '../reader/reader.ts';

const EOF = keyword(null, 'eof');

/** `read-string` of clojure.core and clojure.edn: the first form of a text as data, nothing evaluated. */
export function readForm(text: string, dialect: 'lisp' | 'edn', options: unknown): unknown {
  try {
    const form = readFirstForm(text);
    if (form !== null) return syntaxValue(form, (node) => (node.automatic ? (node.namespace ?? 'user') : node.namespace), { metadata: true });
  } catch (thrown) {
    if (thrown instanceof CompileFailure) throw valueError('java.lang.RuntimeException', thrown.message);
    throw thrown;
  }
  if (options instanceof LispMap && options.lookup(EOF) !== ABSENT) return get(options, EOF);
  if (dialect === 'edn' && options === null) return EOF;
  if (dialect === 'edn') return null;
  throw valueError('java.lang.RuntimeException', 'EOF while reading');
}
