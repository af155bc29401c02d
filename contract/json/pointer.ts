import { memberOf, type JsonMember, type JsonNode } from './node.ts';

/** RFC 6901 text of a path; no segments is the root, `""`. */
export function buildPointer(segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${escapeSegment(String(segment))}`).join('');
}

/** The segments of an RFC 6901 pointer, unescaped; undefined when the text is none. */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === '') {
    return [];
  }
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) {
    return undefined;
  }
  return pointer.slice(1).split('/').map(unescapeSegment);
}

/** The node that a pointer names in a tree; undefined when the pointer is malformed or names nothing there. */
export function resolvePointer(root: JsonNode, pointer: string): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  const segments = parsePointer(pointer);
  if (segments === undefined) {
    return undefined;
  }
  for (const segment of segments) {
    node = node === undefined ? undefined : childNamed(node, segment);
  }
  return node;
}

/** The pointer of the node that starts at a byte offset of the tree's document. */
export function pointerToOffset(root: JsonNode, offset: number): string {
  const segments: (string | number)[] = [];
  let node: JsonNode | undefined = root;
  while (node !== undefined && node.start !== offset) {
    if (node.kind === 'object') {
      const holder: JsonMember | undefined = node.members.find((member) => encloses(member.value, offset));
      segments.push(...(holder === undefined ? [] : [holder.key]));
      node = holder?.value;
    } else if (node.kind === 'array') {
      const index = node.items.findIndex((item) => encloses(item, offset));
      segments.push(...(index === -1 ? [] : [index]));
      node = node.items[index];
    } else {
      node = undefined;
    }
  }
  return buildPointer(segments);
}

function encloses(node: JsonNode, offset: number): boolean {
  return node.start <= offset && offset < node.end;
}

function childNamed(node: JsonNode, segment: string): JsonNode | undefined {
  if (node.kind === 'object') {
    return memberOf(node, segment)?.value;
  }
  return node.kind === 'array' && /^(0|[1-9][0-9]*)$/.test(segment) ? node.items[Number(segment)] : undefined;
}

function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapeSegment(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
