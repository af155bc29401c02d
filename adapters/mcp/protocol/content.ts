import { createHash } from 'node:crypto';
import {
  isJsonArray,
  isJsonFloat,
  isJsonInteger,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { countOf, isObjectOrAbsent } from './members.ts';

/** A block of a result, as programs are given it (world.md §2.2). */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'resource'; readonly resource: JsonObject }
  /** What is no text, by its digest; `data` is its base64, null of a link. */
  | { readonly kind: 'descriptor'; readonly facts: JsonObject; readonly data: string | null };

/**
 * The blocks of a result's `content`, without what is only for people; null where one is of an unknown kind or not of
 * its form (providers.md §7.5). Members that no revision knows say nothing.
 */
export function readContent(content: JsonValue | undefined): readonly Block[] | null {
  if (!isJsonArray(content)) return null;
  const blocks: Block[] = [];
  for (const item of content) {
    const block = isJsonObject(item) ? readBlock(item) : null;
    if (block === null) return null;
    blocks.push(block);
  }
  return blocks;
}

function readBlock(block: JsonObject): Block | null {
  if (!isObjectOrAbsent(block.get('_meta')) || !isAnnotations(block.get('annotations'))) return null;
  const [type, text, resource] = [block.get('type'), block.get('text'), block.get('resource')];
  switch (type) {
    case 'text':
      return typeof text === 'string' ? { kind: 'text', text } : null;
    case 'image':
    case 'audio':
      return typeof block.get('mimeType') === 'string' ? binary(type, block, block.get('data')) : null;
    case 'resource_link':
      return linkOf(block);
    case 'resource':
      return isJsonObject(resource) ? readResource(resource) : null;
    default:
      return null;
  }
}

function readResource(resource: JsonObject): Block | null {
  const [text, blob] = [resource.get('text'), resource.get('blob')];
  if (!hasTexts(resource, ['uri'], ['mimeType']) || !isObjectOrAbsent(resource.get('_meta'))) return null;
  if (typeof text === 'string' && blob === undefined)
    return { kind: 'resource', resource: new Map([...membersOf(resource, ['uri', 'mimeType']), ['text', text]]) };
  return text === undefined ? binary('resource', resource, blob) : null;
}

/** Of a link nothing is known but what it says of itself. */
function linkOf(link: JsonObject): Block | null {
  if (!hasTexts(link, ['uri', 'name'], ['mimeType'])) return null;
  const size = countOf(link.get('size'), 0);
  return {
    kind: 'descriptor',
    facts: new Map<string, JsonValue>([
      ['type', 'resource_link'],
      ...membersOf(link, ['uri', 'name', 'mimeType']),
      ...(size === null ? [] : [['bytes', size] as const]),
    ]),
    data: null,
  };
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function binary(type: string, resource: JsonObject, data: JsonValue | undefined): Block | null {
  if (typeof data !== 'string' || !BASE64.test(data) || data.length % 4 !== 0) return null;
  const bytes = Buffer.from(data, 'base64');
  return {
    kind: 'descriptor',
    facts: new Map<string, JsonValue>([
      ['type', type],
      ...membersOf(resource, ['uri', 'mimeType']),
      ['bytes', bytes.length],
      ['sha256', createHash('sha256').update(bytes).digest('hex')],
    ]),
    data,
  };
}

function hasTexts(object: JsonObject, required: readonly string[], optional: readonly string[]): boolean {
  return (
    required.every((name) => typeof object.get(name) === 'string') &&
    optional.every((name) => !object.has(name) || typeof object.get(name) === 'string')
  );
}

function membersOf(object: JsonObject, names: readonly string[]): readonly (readonly [string, JsonValue])[] {
  return names.flatMap((name) => {
    const value = object.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
}

const AUDIENCES: ReadonlySet<JsonValue> = new Set(['user', 'assistant']);
const numberOf = (value: JsonValue | undefined): number =>
  isJsonFloat(value) ? value.value : Number(isJsonInteger(value) ? value : Number.NaN);

function isAnnotations(annotations: JsonValue | undefined): boolean {
  if (annotations === undefined) return true;
  if (!isJsonObject(annotations)) return false;
  const [audience, modified] = [annotations.get('audience'), annotations.get('lastModified')];
  const priority = annotations.has('priority') ? numberOf(annotations.get('priority')) : 0;
  return (
    (audience === undefined || (isJsonArray(audience) && audience.every((member) => AUDIENCES.has(member)))) &&
    priority >= 0 &&
    priority <= 1 &&
    (modified === undefined || typeof modified === 'string')
  );
}
