import { canonicalJson, type JsonText } from '../../../contract/json/canonical.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { parseJsonText } from '../json-text.ts';
import type { WireName } from '../vendors.ts';
import type { VerbatimItem } from './verbatim-item.ts';

/** Of this form; a text of another one is dropped. */
const VERSION = 1;

/** To whom a continuation belongs: nobody else is sent it. */
export interface ContinuationOwner {
  /** Digest of an installation and its revision. */
  readonly identity: string;
  readonly wire: WireName;
}

/** The opaque text that carries these items. The vendor's bytes are in it as texts, so that no number is changed. */
export function continuationText({ identity, wire }: ContinuationOwner, items: readonly VerbatimItem[]): JsonText {
  return canonicalJson(
    new Map<string, JsonValue>([
      ['version', VERSION],
      ['identity', identity],
      ['wire', wire],
      [
        'items',
        items.map(
          ({ json, call, member }) =>
            new Map<string, JsonValue>([
              ['json', json],
              ['call', call],
              ['member', member],
            ]),
        ),
      ],
    ]),
  );
}

/** Null for a text that belongs to somebody else, or that nobody made here. */
export function itemsOf(text: string, { identity, wire }: ContinuationOwner): readonly VerbatimItem[] | null {
  const value = parseJsonText(text);
  if (
    !isJsonObject(value) ||
    value.get('version') !== VERSION ||
    value.get('identity') !== identity ||
    value.get('wire') !== wire
  )
    return null;
  const items = value.get('items');
  if (!isJsonArray(items)) return null;
  const read = items.map(itemOf);
  return read.every((item) => item !== null) ? read : null;
}

/** Its bytes are put into a request as they are, so they have to be one JSON value. */
function itemOf(value: JsonValue): VerbatimItem | null {
  if (!isJsonObject(value)) return null;
  const json = value.get('json');
  const call = value.get('call') ?? null;
  const member = value.get('member') ?? null;
  return typeof json === 'string' &&
    parseJsonText(json) !== undefined &&
    (call === null || typeof call === 'string') &&
    (member === null || typeof member === 'string')
    ? { json, call, member }
    : null;
}
