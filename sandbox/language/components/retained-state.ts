import { visit } from '../../runtime/sequence.ts';
import { functionFacts } from '../../runtime/functions.ts';
import { Atom, Delay, Volatile } from '../../runtime/values/atom.ts';
import { ChainedTable } from '../../runtime/values/chained-table.ts';
import { Collection } from '../../runtime/values/collection.ts';
import { LazySeq } from '../../runtime/values/lazy-seq.ts';
import { RecordType } from '../../runtime/values/record.ts';
import { Reified } from '../../runtime/values/reified.ts';
import { TextMatcher } from '../../runtime/regex/text-matcher.ts';
import { SharedCell } from '../../runtime/values/shared-cell.ts';

/** Why a value cannot be that of a component's `def` (language.md §11); null when it can. */
export function retainedState(value: unknown): string | null {
  const seen = new ChainedTable<unknown, true>();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const at = pending.pop();
    if (typeof at !== 'object' && typeof at !== 'function') continue;
    if (at === null || seen.has(at)) continue;
    seen.add(at, true);
    if (at instanceof Atom || at instanceof Volatile || at instanceof Delay) return 'mutable state';
    if (at instanceof LazySeq && at.body !== null) return 'an unrealised lazy seq';
    if (at instanceof TextMatcher) return 'mutable state';
    if (at instanceof Reified || at instanceof RecordType) pending.push(at.methods);
    if (at instanceof SharedCell) pending.push(at.value);
    else if (at instanceof Collection) visit(at, (element) => void pending.push(element));
    else pending.push(...(functionFacts(at)?.captures ?? []));
  }
  return null;
}
