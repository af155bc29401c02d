import { BoxedDouble } from '../../runtime/values/double.ts';
import { Char } from '../../runtime/values/char.ts';
import { Temporal } from '../../runtime/values/temporal.ts';
import type { Syntax } from '../syntax.ts';

/**
 * A text that two forms share exactly if `=` holds between the data they read as (language.md §2, duplicate keys):
 * lists and vectors agree, `1` and `1.0` do not. Null where the form has no such identity (a regex, a `#(…)`).
 */
export function equalityKey(node: Syntax): string | null {
  switch (node.kind) {
    case 'literal':
      return literalKey(node.value);
    case 'keyword':
      return `${node.automatic ? '::' : ':'}${node.namespace ?? ''}/${node.name}`;
    case 'symbol':
      return `'${node.namespace ?? ''}/${node.name}`;
    case 'regex':
    case 'short-function':
    case 'placeholder':
      return null;
    case 'list':
    case 'vector':
      return joined('(', node.items.map(equalityKey));
    case 'set':
      return joined('#{', sorted(node.items.map(equalityKey)));
    case 'map':
      return joined('{', sorted(entryKeys(node.items)));
  }
}

function entryKeys(items: readonly Syntax[]): (string | null)[] {
  const keys: (string | null)[] = [];
  for (let index = 0; index < items.length; index += 2) {
    const key = items[index];
    const value = items[index + 1];
    keys.push(key === undefined || value === undefined ? null : joined('[', [equalityKey(key), equalityKey(value)]));
  }
  return keys;
}

function sorted(keys: (string | null)[]): (string | null)[] {
  return keys.toSorted((a, b) => (a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1));
}

/** Parts are prefixed with their lengths, so that no two different lists of parts join to one text. */
function joined(opener: string, parts: readonly (string | null)[]): string | null {
  let text = opener;
  for (const part of parts) {
    if (part === null) return null;
    text += `${part.length}~${part}`;
  }
  return text;
}

function literalKey(value: unknown): string | null {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `"${value}`;
  if (typeof value === 'bigint') return `i${value}`;
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return null;
    return Number.isInteger(value) ? `i${value}` : `d${value}`;
  }
  if (value instanceof BoxedDouble) return `d${value.value === 0 ? 0 : value.value}`;
  if (value instanceof Char) return `\\${value.code}`;
  if (value instanceof Temporal) return value.print();
  return null;
}
