import { printString } from '../../runtime/print.ts';
import { CompileFailure } from '../compile-failure.ts';
import type { Syntax } from '../syntax.ts';

/**
 * The canonical text of a program value (language.md §14): tokens joined by single spaces, none inside the edges of
 * brackets and none after a prefix, one form a line; comments and `#_` are gone, strings are escaped as `pr-str` does.
 */
export function canonicalProgram(source: string, forms: readonly Syntax[]): string {
  return forms.map((form) => canonicalForm(source, form)).join('\n');
}

const PREFIXES = { quote: "'", var: "#'", deref: '@' } as const;

function canonicalForm(source: string, node: Syntax): string {
  const items = (nodes: readonly Syntax[]): string => nodes.map((item) => canonicalForm(source, item)).join(' ');
  const metadata = 'metadata' in node ? node.metadata.map((item) => `^${canonicalForm(source, item)} `).join('') : '';
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'string' ? printString(node.value) : literalText(source, node);
    case 'regex':
      return `#"${node.pattern.replaceAll(/(\\[^])|"/g, (_, escaped?: string) => escaped ?? '\\"')}"`;
    case 'keyword':
      return `${node.automatic ? '::' : ':'}${qualified(node)}`;
    case 'symbol':
      return metadata + qualified(node);
    case 'list': {
      const [, operand] = node.items;
      if (node.prefix !== null && operand !== undefined)
        return `${metadata}${PREFIXES[node.prefix]}${canonicalForm(source, operand)}`;
      return `${metadata}(${items(node.items)})`;
    }
    case 'vector':
      return `${metadata}[${items(node.items)}]`;
    case 'map':
      return `${metadata}{${items(node.items)}}`;
    case 'set':
      return `${metadata}#{${items(node.items)}}`;
    case 'short-function':
      return `${metadata}#(${items(node.body.items)})`;
    case 'placeholder':
      throw new CompileFailure('invalid_thread_form', 'A threaded value cannot stand in a program value', node);
  }
}

function literalText(source: string, node: Syntax): string {
  const text = source.slice(node.start, node.end);
  // A tagged literal holds a string and perhaps blanks before it.
  const tagged = /^#(inst|uuid)[\s,]*("[^]*)$/.exec(text);
  return tagged === null ? text : `#${tagged[1]} ${tagged[2]}`;
}

function qualified(node: { readonly namespace: string | null; readonly name: string }): string {
  return node.namespace === null ? node.name : `${node.namespace}/${node.name}`;
}
