import { lookupFlexible } from '../runtime/lookup.ts';
import { Keyword, keyword } from '../runtime/values/keyword.ts';
import { LispMap } from '../runtime/values/map.ts';
import { mapFromEntries } from '../runtime/values/map-builder.ts';

const KIND = keyword(null, 'kind');
const STATUS = keyword(null, 'status');

/**
 * What an error of `pmap` or `pcalls` keeps of a `fail` value (runtime.md §8): an envelope as it is, so that the run
 * knows its own refusals again; of another map its kind; nothing of anything else.
 */
export function storedFailure(payload: unknown): unknown {
  if (!(payload instanceof LispMap)) return null;
  if (isWord(lookupFlexible(payload, STATUS), 'error')) return payload;
  const kind = lookupFlexible(payload, KIND);
  return kind instanceof Keyword || typeof kind === 'string' ? mapFromEntries([KIND, kind]) : null;
}

function isWord(value: unknown, word: string): boolean {
  return value === word || value === keyword(null, word);
}
