/** The few forms of JSON Schema that the envelope needs. Every object is closed. */

/** A JSON Schema, or a part of one. */
export interface SchemaNode {
  readonly [keyword: string]: unknown;
}

type Members = Readonly<Record<string, SchemaNode>>;

/** A closed object: these members, of which `optional` may be absent. */
export function object(required: Members, optional: Members = {}): SchemaNode {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

/** An open map: keys match a pattern, at most `maximum` of them. */
export function map(keyPattern: string, value: SchemaNode, maximum: number): SchemaNode {
  return {
    type: 'object',
    patternProperties: { [whole(keyPattern)]: value },
    additionalProperties: false,
    maxProperties: maximum,
  };
}

/** A list of like items, with its bounds. */
export function array(
  items: SchemaNode,
  bounds: { readonly maxItems: number; readonly minItems?: number },
): SchemaNode {
  return { type: 'array', items, ...bounds };
}

/** Exactly these items, then any number of `rest` up to `maxItems` in all. */
export function tuple(items: readonly SchemaNode[], rest: SchemaNode | false, maxItems: number): SchemaNode {
  return { type: 'array', prefixItems: items, items: rest, minItems: items.length, maxItems };
}

export const EMPTY: SchemaNode = { type: 'array', maxItems: 0 };
export const NULL: SchemaNode = { type: 'null' };
export const BOOLEAN: SchemaNode = { type: 'boolean' };
export const ANY: SchemaNode = {};
export const COUNT: SchemaNode = { type: 'integer', minimum: 0 };

/** An integer from `minimum` to `maximum`, both admitted; without `maximum` unbounded. */
export function integer(minimum: number, maximum?: number): SchemaNode {
  return { type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) };
}

/** Exactly this value. */
export function constant(value: unknown): SchemaNode {
  return { const: value };
}

/** One of these values. */
export function oneOfValues(values: readonly unknown[]): SchemaNode {
  return values.length === 1 ? constant(values[0]) : { enum: values };
}

/** A text of so many UTF-16 units, as JSON Schema counts them; without `maxLength` unbounded. */
export function string(minLength: number, maxLength?: number): SchemaNode {
  return { type: 'string', minLength, ...(maxLength === undefined ? {} : { maxLength }) };
}

/** `source`: an unanchored pattern that the whole string has to match. */
export function pattern(source: string, maxLength?: number): SchemaNode {
  return { type: 'string', pattern: whole(source), ...(maxLength === undefined ? {} : { maxLength }) };
}

/** What one of the nodes admits; of one node that node itself. */
export function anyOf(nodes: readonly SchemaNode[]): SchemaNode {
  const [only, ...others] = nodes;
  return only !== undefined && others.length === 0 ? only : { anyOf: nodes };
}

/** Null, or what the node admits. */
export function orNull(node: SchemaNode): SchemaNode {
  return { anyOf: [NULL, node] };
}

/** A definition of the same document. */
export function reference(name: string): SchemaNode {
  return { $ref: `#/$defs/${name}` };
}

/** The anchored form of a pattern that the whole text has to match. */
export function whole(source: string): string {
  return `^(?:${source})$`;
}
