import { type LispError, valueError, badValue, badNumber } from '../../runtime/errors.ts';
import { invoke1, invoke2 } from '../../runtime/invoke.ts';
import { keyword } from '../../runtime/values/keyword.ts';
import { ABSENT, LispMap } from '../../runtime/values/map.ts';
import { symbol } from '../../runtime/values/symbol.ts';
import { CompileFailure, InvalidNumber, parseError } from '../compile-failure.ts';
import { syntaxValue } from '../reader/data.ts';
import { type EdnSyntax, readFirstForm } from '../reader/reader.ts';
import type { Syntax } from '../syntax.ts';
import { readTagged } from '../reader/tagged.ts';

/** `read-string` of clojure.core and clojure.edn: the first form of a text as data, nothing evaluated. */
export function readForm(text: string, dialect: 'lisp' | 'edn', options: unknown): unknown {
  const form = readOrRaise(text, dialect === 'edn' ? ednSyntax(options) : null);
  if (form !== null) return form.value;
  const end = option(options, 'eof');
  if (end !== ABSENT) return end;
  if (dialect === 'edn' && options === null) return null;
  throw valueError('java.lang.RuntimeException', 'EOF while reading');
}

function readOrRaise(text: string, edn: EdnSyntax | null): { readonly value: unknown } | null {
  try {
    const form = readFirstForm(text, edn);
    return form === null ? null : { value: dataOf(form) };
  } catch (thrown) {
    if (thrown instanceof CompileFailure) throw readerError(thrown);
    throw thrown;
  }
}

function dataOf(form: Syntax): unknown {
  return syntaxValue(form, (node) => (node.automatic ? (node.namespace ?? 'user') : node.namespace), {
    metadata: true,
  });
}

/** The reference's classes of what a broken text raises. */
function readerError(failure: CompileFailure): LispError {
  if (failure.reason === 'duplicate_key') return badValue(failure.message);
  if (failure instanceof InvalidNumber) return badNumber(failure.message);
  return valueError('java.lang.RuntimeException', failure.message);
}

/** The value of an option, `ABSENT` where it is not given. */
function option(options: unknown, name: string): unknown {
  return options instanceof LispMap ? options.lookup(keyword(null, name)) : ABSENT;
}

/** Tags by `:readers`, then `#inst` and `#uuid`, then `:default` (functions.md §13). */
function ednSyntax(options: unknown): EdnSyntax {
  const readers = option(options, 'readers');
  const fallback = option(options, 'default');
  return {
    readTagged: (node, operand) => {
      const tag = symbol(node.namespace, node.name);
      const own = readers instanceof LispMap ? readers.lookup(tag) : ABSENT;
      if (own !== ABSENT && own !== null) return invoke1(own, dataOf(operand));
      if (tag.text === 'inst' || tag.text === 'uuid') {
        const known = readTagged(tag.text, operand);
        if (known.ok) return known.value;
        throw parseError(known.message, operand.start);
      }
      if (fallback !== ABSENT && fallback !== null) return invoke2(fallback, tag, dataOf(operand));
      throw parseError(`No reader function for tag ${tag.text.slice(0, 64)}`, node.start);
    },
  };
}
