import { memberOf, type JsonNode } from '../../../contract/json/node.ts';

interface Extent {
  readonly start: number;
  readonly end: number;
  readonly isKey: boolean;
}

/**
 * Where a path is: at the key of its last member, at the item of a list, and for what is missing at the nearest thing
 * above it that is there.
 */
export function extentOf(root: JsonNode, path: readonly string[]): Extent {
  let node = root;
  let found: Extent = { start: root.start, end: root.start + 1, isKey: false };
  for (const token of path) {
    if (node.kind === 'object') {
      const member = memberOf(node, token);
      if (member === undefined) break;
      found = { start: member.keyStart, end: member.keyEnd, isKey: true };
      node = member.value;
    } else if (node.kind === 'array') {
      const item: JsonNode | undefined = node.items[Number(token)];
      if (item === undefined) break;
      found = { start: item.start, end: item.start + 1, isKey: false };
      node = item;
    } else {
      break;
    }
  }
  return found;
}
