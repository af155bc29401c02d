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

/** Members stand in document order. */
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

/** A value with the bytes that it stands at. */
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
  const pending: (() => void)[] = [];
  const begin = (node: JsonNode): JsonValue => {
    if (node.kind === 'array') {
      const items: JsonValue[] = [];
      pending.push(() => {
        for (const item of node.items) {
          items.push(begin(item));
        }
      });
      return items;
    }
    if (node.kind === 'object') {
      const members = new Map<string, JsonValue>();
      pending.push(() => {
        for (const member of node.members) {
          members.set(member.key, begin(member.value));
        }
      });
      return members;
    }
    return node.value;
  };
  const value = begin(root);
  for (let fill = pending.pop(); fill !== undefined; fill = pending.pop()) {
    fill();
  }
  return value;
}
