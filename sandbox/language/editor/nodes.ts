import { formsOf, isBranch, type TextNode } from './text-tree.ts';

/** A part of a text, in UTF-16 units. */
export interface NodePlace {
  readonly start: number;
  readonly end: number;
}

/** A node without the metadata before it. */
export function unwrapped(node: TextNode): TextNode {
  if (node.kind !== 'prefixed' || !node.prefix.endsWith('^')) return node;
  const target = formsOf(node.children)[1];
  return target === undefined ? node : unwrapped(target);
}

/** The nodes around an offset, outermost first; one that ends or begins there is around it too. */
export function nodesAround(nodes: readonly TextNode[], offset: number): readonly TextNode[] {
  const around: TextNode[] = [];
  let level: readonly TextNode[] | null = nodes;
  while (level !== null) {
    // Of two nodes that touch at the offset a token counts more than a bracket, the later more than the earlier.
    const touching: TextNode[] = level.filter(({ start, end }) => start <= offset && offset <= end);
    const found: TextNode | undefined =
      touching.find((node) => node.start < offset && offset < node.end) ??
      touching.find((node) => !isBranch(node)) ??
      touching.find((node) => isBranch(node) && offset > node.start && !node.isClosed);
    if (found === undefined) break;
    around.push(found);
    level = 'children' in found ? found.children : null;
  }
  return around;
}

/** The call around an offset: its forms, and which of them the offset is in or before; null outside of any. */
export function callAround(
  nodes: readonly TextNode[],
  offset: number,
): { readonly forms: readonly TextNode[]; readonly index: number } | null {
  const call = nodesAround(nodes, offset).findLast(
    (node) => (node.kind === 'list' || node.kind === 'short-function') && node.start < offset,
  );
  if (!isBranch(call)) return null;
  const forms = formsOf(call.children);
  const before = forms.filter(({ end }) => end < offset).length;
  return { forms, index: before };
}
