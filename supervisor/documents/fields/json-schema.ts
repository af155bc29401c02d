import { JsonFloat, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { Field, ListedShape, ObjectShape, Shape, TextShape } from './shape.ts';

/** What a published schema says about itself; `name` and `major` make its identity, `urn:svc:schema:<name>:<major>`. */
export interface SchemaHeader {
  readonly name: string;
  readonly major: number;
  readonly title: string;
}

/** The `$id` of a published schema (documents.md §8). */
export function schemaId({ name, major }: Pick<SchemaHeader, 'name' | 'major'>): string {
  return `urn:svc:schema:${name}:${major}`;
}

/**
 * The JSON Schema (2020-12) of a table of fields. It admits what the loader admits but for what a schema cannot say:
 * lengths there count characters, here bytes.
 */
export function jsonSchema(header: SchemaHeader, shape: ObjectShape | ListedShape): JsonObject {
  return record({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaId(header),
    title: header.title,
    ...parts(shape),
  });
}

type Parts = Readonly<Record<string, JsonValue>>;

function record(members: Parts): JsonObject {
  return new Map(Object.entries(members));
}

function schemaOf(shape: Shape): JsonObject {
  return record(parts(shape));
}

function parts(shape: Shape): Parts {
  switch (shape.kind) {
    case 'text':
      return textParts(shape);
    case 'integer':
      return { type: 'integer', minimum: shape.minimum, maximum: shape.maximum };
    case 'number':
      return {
        type: 'number',
        [shape.above ? 'exclusiveMinimum' : 'minimum']: numberValue(shape.minimum),
        maximum: numberValue(shape.maximum),
      };
    case 'boolean':
      return { type: 'boolean' };
    case 'enum': {
      const [constant, ...others] = shape.values;
      return constant !== undefined && others.length === 0 ? { const: constant } : { enum: shape.values };
    }
    case 'list':
      return {
        type: 'array',
        items: schemaOf(shape.items),
        ...(shape.minimum > 0 ? { minItems: shape.minimum } : {}),
        maxItems: shape.maximum,
        ...(shape.unique === 'no' ? {} : { uniqueItems: true }),
      };
    case 'map':
      return {
        type: 'object',
        propertyNames: record({ pattern: `^(?:${shape.keys.source})$` }),
        additionalProperties: schemaOf(shape.values),
        ...(shape.minimum > 0 ? { minProperties: shape.minimum } : {}),
        maxProperties: shape.maximum,
      };
    case 'object':
      return objectParts(shape);
    case 'choice':
      return { type: 'object', oneOf: shape.branches.map(schemaOf) };
    case 'either':
      return { oneOf: [schemaOf(shape.text), schemaOf(shape.object)] };
    case 'listed':
      return { oneOf: [schemaOf(shape.item), schemaOf(shape.list)] };
    case 'free':
      return { type: 'object' };
    case 'any':
      return {};
  }
}

function textParts({ minimum, maximum, pattern }: TextShape): Parts {
  return {
    type: 'string',
    minLength: minimum,
    maxLength: maximum,
    ...(pattern === null ? {} : { pattern: `^(?:${pattern.source})$` }),
  };
}

function objectParts(shape: ObjectShape): Parts {
  const fields = Object.entries(shape.fields);
  const required = fields.filter(([, { presence }]) => presence.kind === 'required').map(([name]) => name);
  return {
    type: 'object',
    properties: new Map(fields.map(([name, field]) => [name, fieldSchema(field)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function fieldSchema({ shape, presence }: Field): JsonObject {
  const standard = presence.kind === 'default' ? { default: presence.value } : {};
  return record({ ...parts(shape), ...standard });
}

function numberValue(value: number): JsonValue {
  return Number.isSafeInteger(value) ? value : new JsonFloat(value);
}
