import { Char } from '../../runtime/values/char.ts';
import { Keyword } from '../../runtime/values/keyword.ts';
import type { Node } from '../analyser/ir.ts';
import type { BodyEmitter, Destination } from './body.ts';

type CaseNode = Node & { kind: 'case' };

/** Constants for which `=` is JavaScript's `===`, so that a `switch` may look for them. */
function comparesByIdentity(value: unknown): boolean {
  if (value === null || typeof value === 'boolean' || typeof value === 'string' || typeof value === 'bigint')
    return true;
  return (typeof value === 'number' && Number.isInteger(value)) || value instanceof Keyword || value instanceof Char;
}

export function emitCase(emitter: BodyEmitter, node: CaseNode, destination: Destination): void {
  const { block, expressions } = emitter;
  emitter.push(`const ${node.local.id} = ${expressions.value(node.subject)};`);
  const subject = node.local.id;
  const leave = destination.kind === 'return' ? '' : '\n  break;';
  let cases = '';
  let rest = '';
  for (const clause of node.clauses) {
    const identical = clause.constants.filter(comparesByIdentity);
    const others = clause.constants.filter((value) => !comparesByIdentity(value));
    const body = emitter.nested(() => emitter.emit(clause.body, destination));
    if (identical.length > 0) {
      const labels = identical.map((value) => `case ${block.constant(value)}:`).join(' ');
      cases += `${labels} {\n${body}${leave}\n}\n`;
    }
    if (others.length > 0) {
      const tests = others.map((value) => `${block.support('eq')}(${subject}, ${block.constant(value)})`);
      rest += `if (${tests.join(' || ')}) {\n${body}\n} else `;
    }
  }
  const fallback = emitter.nested(() => emitter.emit(node.otherwise, destination));
  const tail = rest === '' ? fallback : `${rest}{\n${fallback}\n}`;
  emitter.push(cases === '' ? `{\n${tail}\n}` : `switch (${subject}) {\n${cases}default: {\n${tail}\n}\n}`);
}
