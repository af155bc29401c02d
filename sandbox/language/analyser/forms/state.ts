import type { ListNode } from '../../syntax.ts';
import type { Analyser } from '../analyser.ts';
import { invalidArity } from '../faults.ts';
import { supportCall, type Node } from '../ir.ts';
import type { Context } from '../scope.ts';

/** `(vswap! volatile f args…)`. */
export function vswapForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const args = node.items.slice(1);
  if (args.length < 2) throw invalidArity(node, 'vswap!', 'a volatile, a function and arguments', args.length);
  return supportCall(node, 'volatileSwap', analyser.operands(args, context));
}
