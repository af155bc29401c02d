import type { Sliced } from './sliced.ts';
import type { JsonFloat, JsonInteger, JsonValue } from './value.ts';

/** Byte offsets in the parsed document; `end` is exclusive. */
interface Extent {
  readonly start: number;
  readonly end: number;
}

/** `null`. */
export interface NullNode extends Extent {
  readonly kind: 'null';
  readonly value: null;
}

/** `true` or `false`. */
export interface BooleanNode extends Extent {
  readonly kind: 'boolean';
  readonly value: boolean;
}

/** A string, its escapes read. */
export interface StringNode extends Extent {
  readonly kind: 'string';
  readonly value: string;
}

/** A number without fraction and exponent, exact. */
export interface IntegerNode extends Extent {
  readonly kind: 'integer';
  readonly value: JsonInteger;
}

/** A number with a fraction or an exponent. */
export interface FloatNode extends Extent {
  readonly kind: 'float';
  readonly value: JsonFloat;
}

/** A list, in its order. */
export interface ArrayNode extends Extent {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}

/** Members are in document order. */
export interface ObjectNode extends Extent {
  readonly kind: 'object';
  readonly members: readonly JsonMember[];
}

/** `keyStart` and `keyEnd` enclose the key with its quotes. */
export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: JsonNode;
}

/** A value with the place of its bytes. */
export type JsonNode = NullNode | BooleanNode | StringNode | IntegerNode | FloatNode | ArrayNode | ObjectNode;

/** The member of that name, undefined when there is none. */
export function memberOf(node: ObjectNode, key: string): JsonMember | undefined {
  return node.members.find((member) => member.key === key);
}

/**
 * The value of a parsed tree, without positions. Where a tree repeats a key (scan.ts, `JsonScan`) the last member
 * wins. Containers are made empty and filled later, so that nesting never reaches the call stack.
 */
export function valueOf(root: JsonNode): JsonValue {
  // Most values are small, and feel what slices cost.
  const pending: Filling[] = [];
  const value = beginValue(root, pending);
  for (let filling = pending.pop(); filling !== undefined; filling = pending.pop()) {
    fill(filling, 0, filling.count, pending);
  }
  return value;
}

/** As `valueOf`, in slices. A unit of its work is an item or a member. */
export function slicedValue(root: JsonNode): Sliced<JsonValue> {
  const pending: Filling[] = [];
  const value = beginValue(root, pending);
  return {
    advance: (units) => {
      let left = units;
      for (let filling = pending.at(-1); filling !== undefined; filling = pending.at(-1)) {
        if (left <= 0) {
          return null;
        }
        pending.pop();
        const from = filling.next;
        const to = Math.min(filling.count, from + left);
        left -= Math.max(1, to - from);
        if (to < filling.count) {
          filling.next = to;
          pending.push(filling);
        }
        fill(filling, from, to, pending);
      }
      return { result: value };
    },
  };
}

/** A container that lacks what comes from `next` on. */
type Filling = { next: number; readonly count: number } & (
  | { readonly from: readonly JsonNode[]; readonly items: JsonValue[]; readonly members: null }
  | { readonly from: readonly JsonMember[]; readonly items: null; readonly members: Map<string, JsonValue> }
);

function beginValue(node: JsonNode, pending: Filling[]): JsonValue {
  if (node.kind === 'array') {
    const items: JsonValue[] = [];
    pending.push({ next: 0, count: node.items.length, from: node.items, items, members: null });
    return items;
  }
  if (node.kind === 'object') {
    const members = new Map<string, JsonValue>();
    pending.push({ next: 0, count: node.members.length, from: node.members, items: null, members });
    return members;
  }
  return node.value;
}

function fill({ from, items, members }: Filling, start: number, end: number, pending: Filling[]): void {
  if (items !== null) {
    for (let index = start; index < end; index += 1) {
      const item = from[index];
      if (item !== undefined) items.push(beginValue(item, pending));
    }
    return;
  }
  for (let index = start; index < end; index += 1) {
    const member = from[index];
    if (member !== undefined) members.set(member.key, beginValue(member.value, pending));
  }
}
