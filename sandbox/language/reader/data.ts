import { list } from '../../runtime/values/seq.ts';
import { keyword } from '../../runtime/values/keyword.ts';
import { symbol } from '../../runtime/values/symbol.ts';
import { vector } from '../../runtime/values/vector.ts';
import { setFrom } from '../../runtime/values/set.ts';
import { mapFromEntries } from '../../runtime/values/map-builder.ts';
import { regex } from '../../runtime/regex/pattern.ts';
import { CompileFailure } from '../compile-failure.ts';
import type { KeywordNode, Syntax } from '../syntax.ts';

/** Gives the namespace of a keyword, which for `::k` depends on where it is. */
export type KeywordNamespace = (node: KeywordNode) => string | null;

/** The value that a form reads as: what `quote` and `read-string` give. */
export function syntaxValue(
  node: Syntax,
  namespaceOf: KeywordNamespace,
  options: { readonly metadata: boolean },
): unknown {
  const value = (item: Syntax): unknown => syntaxValue(item, namespaceOf, { metadata: true });
  const meta = (items: readonly Syntax[]): unknown =>
    options.metadata && items.length > 0 ? metadataValue(items, value) : null;
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'keyword':
      return keyword(namespaceOf(node), node.name);
    case 'symbol':
      return symbol(node.namespace, node.name, meta(node.metadata));
    case 'regex': {
      const made = regex(node.pattern);
      if (made.ok) return made.value;
      throw new CompileFailure('parse_error', made.message, node);
    }
    case 'list':
      return list(node.items.map(value), meta(node.metadata));
    case 'vector':
      return vector(node.items.map(value), meta(node.metadata));
    case 'set':
      return setFrom(node.items.map(value), meta(node.metadata));
    case 'map':
      return mapFromEntries(node.items.map(value), meta(node.metadata));
    case 'short-function':
      throw new CompileFailure('parse_error', '#() cannot stand in quoted data', node);
    case 'placeholder':
      throw new CompileFailure('invalid_thread_form', 'A threaded value cannot stand in quoted data', node);
  }
}

function metadataValue(items: readonly Syntax[], value: (item: Syntax) => unknown): unknown {
  const flat: unknown[] = [];
  for (const item of items.toReversed()) {
    if (item.kind === 'map') flat.push(...item.items.map(value));
    else if (item.kind === 'keyword') flat.push(value(item), true);
    else flat.push(keyword(null, item.kind === 'vector' ? 'param-tags' : 'tag'), value(item));
  }
  return mapFromEntries(flat);
}
