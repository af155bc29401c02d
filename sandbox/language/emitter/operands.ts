import type { Node } from '../analyser/ir.ts';

/** Nodes that an expression over this node evaluates; null where the node needs statements. */
export function operandsOf(node: Node): readonly Node[] | null {
  switch (node.kind) {
    case 'constant':
    case 'local':
    case 'variable':
    case 'variable-object':
    case 'builtin':
    case 'function':
      return [];
    case 'call':
      return [node.callee, ...node.args];
    case 'builtin-call':
    case 'support-call':
      return node.args;
    case 'collection':
      return node.items;
    case 'if':
      return [node.test, node.then, node.otherwise];
    case 'and':
    case 'or':
      return node.operands;
    case 'do':
    case 'let':
    case 'letfn':
    case 'loop':
    case 'recur':
    case 'iterate':
    case 'case':
    case 'try':
      return null;
  }
}
