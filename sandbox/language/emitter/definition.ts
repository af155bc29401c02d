import type { Node } from '../analyser/ir.ts';
import { printString } from '../../runtime/print.ts';
import type { ExpressionEmitter } from './expressions.ts';
import { stringLiteral } from '../code-text.ts';

type SupportCall = Node & { kind: 'support-call' };

const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['defineVariable', 'def'],
  ['declareVariable', 'declare'],
]);

/**
 * A definition as one short call: variable, value, parameter vectors, text, privacy, metadata as written; what says
 * nothing at the end is left out. Null for any other call.
 */
export function definition(node: SupportCall, emitter: ExpressionEmitter): string | null {
  const short = SHORT_NAMES.get(node.name);
  const meta = node.args.at(-1);
  if (short === undefined || meta === undefined) return null;
  const { own, written: input } = metadataParts(meta);
  const [, doc, arglists, isPrivate] = own.map((part) => (part.kind === 'constant' ? part.value : null));
  const [first = '', ...written] = emitter.values([...node.args.slice(0, -1), ...input]);
  const values = node.args.length === 3 ? [first, written.shift() ?? 'null'] : [first];
  const facts = [
    arglists === null ? 'null' : stringLiteral(typeof arglists === 'string' ? arglists : printString(arglists)),
    typeof doc === 'string' ? stringLiteral(doc) : 'null',
    String(isPrivate === true),
    ...written,
  ];
  const last = facts.findLastIndex((fact) => fact !== 'null' && fact !== 'false');
  return `${emitter.support(short)}(${[...values, ...facts.slice(0, last + 1)].join(', ')})`;
}

/** `mergeMeta(given, mergeMeta(attributes, variableMeta(…)))` taken apart. */
function metadataParts(meta: Node): { readonly own: readonly Node[]; readonly written: readonly Node[] } {
  if (meta.kind !== 'support-call') return { own: [], written: [meta] };
  if (meta.name !== 'mergeMeta') return { own: meta.args, written: [] };
  const [part, rest] = meta.args;
  if (part === undefined || rest === undefined) return { own: [], written: [] };
  const { own, written } = metadataParts(rest);
  return { own, written: [part, ...written] };
}
