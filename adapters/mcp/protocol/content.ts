import {
  isJsonArray,
  isJsonFloat,
  isJsonInteger,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { hasExactly, isObjectOrAbsent } from './members.ts';

/** A block of a result that programs can be given. */
export type Block =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'resource'; readonly resource: JsonObject };

/**
 * The blocks of a result's `content`, without what is only for people; null where one is of another kind or form
 * (providers.md §7.5).
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
  if (type === 'text' && typeof text === 'string' && hasExactly(block, ['type', 'text'], ['_meta', 'annotations']))
    return { kind: 'text', text };
  if (
    type !== 'resource' ||
    !isJsonObject(resource) ||
    !hasExactly(block, ['type', 'resource'], ['_meta', 'annotations'])
  )
    return null;
  const isTextResource =
    hasExactly(resource, ['uri', 'text'], ['mimeType', '_meta']) &&
    ['uri', 'text', 'mimeType'].every((name) => !resource.has(name) || typeof resource.get(name) === 'string') &&
    isObjectOrAbsent(resource.get('_meta'));
  return isTextResource
    ? { kind: 'resource', resource: new Map([...resource].filter(([name]) => name !== '_meta')) }
    : null;
}

const AUDIENCES: ReadonlySet<JsonValue> = new Set(['user', 'assistant']);
const numberOf = (value: JsonValue | undefined): number =>
  isJsonFloat(value) ? value.value : Number(isJsonInteger(value) ? value : Number.NaN);

function isAnnotations(annotations: JsonValue | undefined): boolean {
  if (annotations === undefined) return true;
  if (!isJsonObject(annotations) || !hasExactly(annotations, [], ['audience', 'priority', 'lastModified']))
    return false;
  const [audience, modified] = [annotations.get('audience'), annotations.get('lastModified')];
  const priority = annotations.has('priority') ? numberOf(annotations.get('priority')) : 0;
  return (
    (audience === undefined || (isJsonArray(audience) && audience.every((member) => AUDIENCES.has(member)))) &&
    priority >= 0 &&
    priority <= 1 &&
    (modified === undefined || typeof modified === 'string')
  );
}
