import { canonicalJson } from '../../../../contract/json/canonical.ts';
import { integerOf, isJsonObject, type JsonObject, type JsonValue } from '../../../../contract/json/value.ts';
import { labelFingerprint } from '../../../evidence/fingerprint.ts';
import { answer, refuseQuery, type Answer } from '../answer.ts';

/** Bytes of a string in a query; of a filter over traces (evidence.md §7). */
const STRING_BYTES = 4096;
const TRACE_FILTER_BYTES = 256;
const PAGE_MOST = 100;
const TAGS_MOST = 16;

/** How a filter's value is written. */
export type FilterForm = 'text' | 'trace text' | 'label' | 'integer' | 'tags' | 'time' | 'hex' | 'view';
export type FilterForms = Readonly<Record<string, FilterForm>>;

/** What a query asks for, with its values in one form. */
export interface QueryOptions {
  readonly filters: ReadonlyMap<string, JsonValue>;
  readonly limit: number;
  /** Null: from the beginning. */
  readonly cursor: string | null;
}

/** Reads a query that may have these filters, `limit` and `cursor`; anything else is `invalid_query`. */
export function queryOptions(query: JsonObject, forms: FilterForms, standardLimit: number): Answer<QueryOptions> {
  const filters = new Map<string, JsonValue>();
  let limit = standardLimit;
  let cursor: string | null = null;
  for (const [name, input] of query) {
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (name === 'limit') {
      const wanted = integerOf(input);
      if (typeof wanted !== 'number' || wanted < 1 || wanted > PAGE_MOST) return refuseQuery('invalid_query');
      limit = wanted;
    } else if (name === 'cursor') {
      // A page without a next one reports null, which may be given back.
      if (input !== null && typeof input !== 'string') return refuseQuery('invalid_query');
      cursor = input;
    } else {
      const value = form === undefined ? undefined : filterValue(form, input);
      if (value === undefined) return refuseQuery('invalid_query');
      filters.set(name, value);
    }
  }
  return answer({ filters, limit, cursor });
}

/** Canonical text of what a cursor is bound to: neither limit nor view changes what is left. */
export function boundQuery(operation: readonly string[], filters: QueryOptions['filters']): string {
  return canonicalJson([...operation, new Map([...filters].filter(([name]) => name !== 'view'))]);
}

function filterValue(form: FilterForm, input: JsonValue): JsonValue | undefined {
  switch (form) {
    case 'integer': {
      const value = integerOf(input);
      return typeof value === 'number' && value >= 0 ? value : undefined;
    }
    case 'tags':
      return isJsonObject(input) &&
        input.size <= TAGS_MOST &&
        [...input].every(([tag, value]) => isText(tag, TRACE_FILTER_BYTES) && isText(value, TRACE_FILTER_BYTES))
        ? input
        : undefined;
    case 'time':
      return typeof input === 'string' ? microseconds(input) : undefined;
    case 'label':
      // A clear text finds what was recorded as its fingerprint.
      return isText(input, TRACE_FILTER_BYTES) ? labelFingerprint(input) : undefined;
    case 'hex':
      return typeof input === 'string' && /^[0-9a-f]{64}$/.test(input) ? input : undefined;
    case 'view':
      return input === 'summary' || input === 'full' ? input : undefined;
    case 'trace text':
      return isText(input, TRACE_FILTER_BYTES) ? input : undefined;
    case 'text':
      return isText(input, STRING_BYTES) ? input : undefined;
  }
}

function isText(value: JsonValue, most: number): value is string {
  return typeof value === 'string' && value.length >= 1 && Buffer.byteLength(value) <= most;
}

const TIME = /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,6}))?Z$/;

/** A moment as traces write it, so that texts compare as times do. */
function microseconds(text: string): string | undefined {
  const [, seconds, fraction = ''] = TIME.exec(text) ?? [];
  return seconds === undefined || Number.isNaN(Date.parse(`${seconds}Z`))
    ? undefined
    : `${seconds}.${fraction.padEnd(6, '0')}Z`;
}
