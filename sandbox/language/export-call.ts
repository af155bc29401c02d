import { clearMiss } from '../runtime/last-miss.ts';
import type { CompiledProgram } from './compile.ts';
import { dataValue } from './link/data.ts';
import { fn } from './link/functions.ts';
import type { FormFunctions } from './link/instantiate.ts';
import { type Session, variableOf } from './link/session.ts';

/** A program that needs no compiler, and what runs it. */
export interface ExportCall {
  readonly program: CompiledProgram;
  readonly functions: FormFunctions;
}

/**
 * The program of a run, `(namespace/name data/input)` (documents.md §3), where it is exactly a correct call of an
 * export with one granted datum; null for any other text. What it does is what the compiled text does, without a
 * reader, an analyser and an emitter, which an isolate of a workflow then never needs (scripts/warm-up.ts).
 */
export function exportCall(session: Session, source: string): ExportCall | null {
  const space = source.indexOf(' ');
  if (!source.startsWith('(') || !source.endsWith(')') || !source.startsWith(DATA, space + 1)) return null;
  const ref = source.slice(1, space);
  const datum = source.slice(space + 1 + DATA.length, -1);
  const slash = ref.indexOf('/');
  const [namespace, name] = [ref.slice(0, slash), ref.slice(slash + 1)];
  const definition = session.namespaces.get(namespace)?.definitions.get(name);
  if (
    definition?.kind !== 'function' ||
    definition.isPrivate ||
    !takesOne(definition.arities) ||
    !session.data.has(datum) ||
    !isPlain(datum)
  )
    return null;
  const variable = variableOf(session, namespace, name);
  clearMiss();
  return {
    program: {
      name: '',
      block: null,
      code: '',
      forms: [{ kind: 'list', items: [], metadata: [], prefix: null, start: 0, end: source.length }],
      namespace: session.current,
      definitions: new Map(),
      references: new Set([ref]),
      required: null,
    },
    functions: [() => fn(variable)(dataValue(session, datum))],
  };
}

const DATA = 'data/';

function takesOne(
  arities: { readonly fixed: readonly number[]; readonly variadicFrom: number | null } | null,
): boolean {
  return (
    arities !== null && (arities.fixed.includes(1) || (arities.variadicFrom !== null && arities.variadicFrom <= 1))
  );
}

/** Lower case letters and `_`: a name that reads as itself. */
function isPlain(name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    if ((code < 97 || code > 122) && code !== 95) return false;
  }
  return name !== '';
}
