/** What a run of the suite comes to, beside the list of the differences that are known. */

export type Verdict =
  | { readonly kind: 'passes' }
  | { readonly kind: 'left out'; readonly what: string }
  | { readonly kind: 'differs'; readonly actual: string };

/** A check that holds in the reference, and what became of it here. */
export interface Judged {
  readonly id: string;
  readonly check: string;
  readonly verdict: Verdict;
}

export interface Report {
  /** Differences that are not in the list, and entries of the list that are none. */
  readonly complaints: readonly string[];
  readonly passed: number;
  /** Checks that need nothing that the language leaves out. */
  readonly counted: number;
  /** Checks that need something left out, by the compiler's refusal or by an accepted difference of the list. */
  readonly excluded: number;
}

/**
 * Ids of known differences with their reasons, which begin with the mark of an accepted difference (language.md §1) or
 * name a section.
 */
export type Differences = ReadonlyMap<string, string>;

/** Reads the list: `{reason: [id…]}`. Throws on any other text, and on an id that stands twice. */
export function differencesOf(text: string): Differences {
  const listed: unknown = JSON.parse(text);
  if (typeof listed !== 'object' || listed === null) throw new Error('the list of differences is no object');
  const found = new Map<string, string>();
  for (const [reason, ids] of Object.entries(listed)) {
    if (!Array.isArray(ids)) throw new Error(`${reason} has no list of ids`);
    for (const id of ids) {
      if (typeof id !== 'string' || found.has(id)) throw new Error(`${String(id)} is no id, or stands twice`);
      found.set(id, reason);
    }
  }
  return found;
}

function isAccepted(reason: string | undefined): boolean {
  return reason !== undefined && /^A[1-7]: /.test(reason);
}

export function report(judged: readonly Judged[], differences: Differences): Report {
  const differing = new Set(judged.filter(({ verdict }) => verdict.kind === 'differs').map(({ id }) => id));
  const unknown = judged.flatMap(({ id, check, verdict }) =>
    verdict.kind === 'differs' && !differences.has(id)
      ? [`differs  ${id}\n   ${check}\n   gave ${verdict.actual}`]
      : [],
  );
  const stale = [...differences].flatMap(([id, reason]) =>
    differing.has(id) ? [] : [`stale    ${id} passes, is left out or is gone (${reason})`],
  );
  const excluded = judged.filter(
    ({ id, verdict }) => verdict.kind === 'left out' || (verdict.kind === 'differs' && isAccepted(differences.get(id))),
  ).length;
  return {
    complaints: [...unknown, ...stale],
    passed: judged.filter(({ verdict }) => verdict.kind === 'passes').length,
    counted: judged.length - excluded,
    excluded,
  };
}
