/** The few forms of JSON Schema that the envelope needs. Every object is closed. */

export interface SchemaNode {
  readonly [keyword: string]: unknown;
}

type Members = Readonly<Record<string, SchemaNode>>;

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

export function array(items: SchemaNode, bounds: { readonly maxItems: number; readonly minItems?: number }): SchemaNode {
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

export function integer(minimum: number, maximum?: number): SchemaNode {
  return { type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) };
}

export function constant(value: unknown): SchemaNode {
  return { const: value };
}

export function oneOfValues(values: readonly unknown[]): SchemaNode {
  return values.length === 1 ? constant(values[0]) : { enum: values };
}

export function string(minLength: number, maxLength?: number): SchemaNode {
  return { type: 'string', minLength, ...(maxLength === undefined ? {} : { maxLength }) };
}

/** `source`: an unanchored pattern that the whole string has to match. */
export function pattern(source: string, maxLength?: number): SchemaNode {
  return { type: 'string', pattern: whole(source), ...(maxLength === undefined ? {} : { maxLength }) };
}

export function anyOf(nodes: readonly SchemaNode[]): SchemaNode {
  const [only, ...others] = nodes;
  return only !== undefined && others.length === 0 ? only : { anyOf: nodes };
}

export function orNull(node: SchemaNode): SchemaNode {
  return { anyOf: [NULL, node] };
}

/** A definition of the same document. */
export function reference(name: string): SchemaNode {
  return { $ref: `#/$defs/${name}` };
}

export function whole(source: string): string {
  return `^(?:${source})$`;
}
