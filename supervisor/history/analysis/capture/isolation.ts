import { compareUtf8 } from '../../../../contract/json/utf8.ts';

/** Why a file and everything that shares an id with it was set aside (evidence.md §5, §8). */
export type IsolationReason =
  | 'malformed_source'
  | 'unsupported_version'
  | 'unstable_entry'
  | 'filename_run_mismatch'
  | 'duplicate_run_identity'
  | 'inspection_correlation_missing';

/** A file with all ids that are known of it, and what is wrong with it by itself. */
export interface SuspectFile {
  readonly runIds: ReadonlySet<string>;
  readonly traceIds: ReadonlySet<string>;
  readonly reason: IsolationReason | null;
}

/** Files that were set aside together. */
export interface IsolatedComponent {
  readonly sources: number;
  /** In byte order. */
  readonly runIds: readonly string[];
  /** In byte order, each once. */
  readonly reasons: readonly IsolationReason[];
}

export interface Isolated<S extends SuspectFile> {
  readonly admitted: readonly S[];
  /** In the order of their first file. */
  readonly components: readonly IsolatedComponent[];
}

/**
 * Sets aside every bad file, every two that share a run or a trace, and whatever shares one with those; the rest stays.
 */
export function isolate<S extends SuspectFile>(suspects: readonly S[]): Isolated<S> {
  const groups = groupsOf(suspects);
  const isAdmitted = ([only, second]: readonly S[]): boolean =>
    second === undefined && only !== undefined && only.reason === null;
  return {
    admitted: groups.filter(isAdmitted).flat(),
    components: groups.filter((group) => !isAdmitted(group)).map(componentOf),
  };
}

function componentOf(group: readonly SuspectFile[]): IsolatedComponent {
  const reasons = group.flatMap(({ reason }) => (reason === null ? [] : [reason]));
  return {
    sources: group.length,
    runIds: [...new Set(group.flatMap(({ runIds }) => [...runIds]))].toSorted(compareUtf8),
    reasons: [...new Set(group.length > 1 ? [...reasons, 'duplicate_run_identity' as const] : reasons)].toSorted(
      compareUtf8,
    ),
  };
}

function groupsOf<S extends SuspectFile>(suspects: readonly S[]): readonly (readonly S[])[] {
  const leader = new Map<string, number>();
  const parents = suspects.map((_, index) => index);
  const root = (index: number): number => {
    let at = index;
    for (let up = parents[at] ?? at; up !== at; up = parents[at] ?? at) at = up;
    return at;
  };
  suspects.forEach(({ runIds, traceIds }, index) => {
    for (const id of [...[...runIds].map((run) => `r${run}`), ...[...traceIds].map((trace) => `t${trace}`)]) {
      const first = leader.get(id);
      if (first === undefined) leader.set(id, index);
      else {
        const [left, right] = [root(first), root(index)];
        parents[Math.max(left, right)] = Math.min(left, right);
      }
    }
  });
  const groups = new Map<number, S[]>();
  suspects.forEach((suspect, index) => {
    const group = groups.get(root(index)) ?? [];
    groups.set(root(index), group);
    group.push(suspect);
  });
  return [...groups.values()];
}
