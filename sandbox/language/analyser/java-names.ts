import type { SymbolNode } from '../reader/syntax.ts';
import type { Meaning } from './names.ts';
import { javaClassNamed } from '../java/classes.ts';

/** What a symbol means as a Java class or a static member of one; null if it is no class name. */
export function classMeaning(node: SymbolNode): Meaning | null {
  if (node.namespace !== null) {
    const owner = javaClassNamed(node.namespace, node);
    return owner === null ? null : { kind: 'java-member', className: owner, member: node.name };
  }
  const className = javaClassNamed(node.name, node);
  return className === null ? null : { kind: 'class', className };
}
