import { CompileFailure } from '../compile-failure.ts';
import { javaReason, outOfScopeReason } from '../out-of-scope.ts';
import type { SymbolNode } from '../syntax.ts';
import type { Meaning } from './meaning.ts';
import { javaClassNamed } from '../java/classes.ts';

function hint(node: SymbolNode): string {
  const reason = outOfScopeReason(`${node.namespace}/${node.name}`) ?? javaReason(node.namespace ?? '');
  return reason === null ? '' : `; ${reason}`;
}

/** What a symbol means as a Java class or a static member of one; null if it is no class name. */
export function classMeaning(node: SymbolNode): Meaning | null {
  if (node.namespace !== null) {
    const owner = javaClassNamed(node.namespace, node);
    if (owner !== null) return { kind: 'java-member', className: owner, member: node.name };
    if (!/^[A-Z][A-Za-z0-9_$]*$/.test(node.namespace)) return null;
    const name = node.namespace.slice(0, 128);
    throw new CompileFailure('unsupported_java_class', `Unsupported class: ${name}${hint(node)}`, node, {
      class: name,
    });
  }
  const className = javaClassNamed(node.name, node);
  return className === null ? null : { kind: 'class', className };
}
