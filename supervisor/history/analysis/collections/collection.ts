import type { JsonObject, JsonValue } from '../../../../contract/json/value.ts';
import type { Answer } from '../answer.ts';
import type { CapturedRun } from '../capture/run.ts';
import type { EvidenceIndex } from '../evidence/evidence-index.ts';
import type { RunEvidence } from '../evidence/run-evidence.ts';
import type { FilterForms } from '../queries/options.ts';
import type { Matches } from '../queries/page.ts';

export type Filters = ReadonlyMap<string, JsonValue>;

/** What a collection gives: what matches, in its order, and what its pages say beside the items. */
export interface Selected {
  readonly matches: Matches;
  readonly beside?: Readonly<Record<string, JsonValue>>;
}

interface Described {
  readonly name: string;
  readonly filters: FilterForms;
  /** By what its items are ordered. */
  readonly order: string;
  /** Where the ids that other collections are asked for are in an item. */
  readonly identifiers: readonly string[];
  /** The member of an item that says whether it is whole; null where every item is. */
  readonly completeness: string | null;
  readonly standardLimit: number;
}

/** What a run's trace alone answers. */
export interface PublicCollection extends Described {
  readonly authority: 'public';
  select(run: CapturedRun, filters: Filters): Selected;
}

/** What needs the run's inspection. */
export interface PrivateCollection extends Described {
  readonly authority: 'private';
  /** Further members of its entry in a run's catalogue. */
  readonly described?: Readonly<Record<string, JsonValue>>;
  select(evidence: RunEvidence, filters: Filters): Promise<Answer<Selected>> | Answer<Selected>;
  /** Items without filters; null where that is not known without making them. */
  count(index: EvidenceIndex): number | null;
}

export type Collection = PublicCollection | PrivateCollection;

/** Whether a filter is absent or asks for exactly this. */
export function asks(filters: Filters, name: string, value: JsonValue): boolean {
  return !filters.has(name) || filters.get(name) === value;
}

export function matchesOf<T>(
  items: readonly T[],
  make: (item: T) => Promise<Answer<JsonObject>> | Answer<JsonObject>,
): Matches {
  return {
    count: items.length,
    item: (index) => {
      const item = items[index];
      if (item === undefined) throw new Error('an item stands within its collection');
      return make(item);
    },
  };
}
