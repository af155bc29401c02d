import { diagnostic, providerSubject, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { failure, type Failed } from '../../../contract/outcome.ts';
import { runLocalChecks, type LocalCheckRequest } from '../../application/preflight/local-checks.ts';
import type { Occurrence } from '../../providers/source/installed-provider.ts';
import type { AliasCheck } from './connect.ts';
import { failedCheck } from './report.ts';

export interface LocalFindings {
  readonly passed: readonly AliasCheck[];
  /** In the order of the declarations, at most one of each alias (providers.md §12). */
  readonly refusals: readonly Failed[];
  /** Whether the command was stopped meanwhile. */
  readonly isStopped: boolean;
}

/**
 * Every audited check of the selected providers, whatever the others find; what the common time did not suffice for is
 * in neither list.
 */
export async function findLocally(request: LocalCheckRequest): Promise<LocalFindings> {
  const refusals: Failed[] = [];
  const checked = new Set<Occurrence>();
  let isLate = false;
  for await (const { occurrence, refusal } of runLocalChecks({
    ...request,
    occurrences: request.occurrences.filter(hasAdapter),
  })) {
    if (refusal?.diagnostic.subject === null) return { passed: [], refusals: [], isStopped: true };
    checked.add(occurrence);
    if (refusal === null) continue;
    isLate ||= refusal.diagnostic.code === 'local_check_timeout';
    refusals.push(refusal);
  }
  const missing = request.occurrences
    .filter((occurrence) => !hasAdapter(occurrence))
    .map((occurrence) =>
      failure(unsupported(occurrence), { hint: 'this build has no adapter for the source of the installation' }),
    );
  const all = inOrder(request.occurrences, [...refusals, ...missing]);
  const isOpen = (occurrence: Occurrence): boolean =>
    isLate && occurrence.provider.localCheck !== null && !checked.has(occurrence);
  const refused = new Set(all.map(({ diagnostic: { subject } }) => subject?.name));
  const passed = request.occurrences
    .filter((occurrence) => !isOpen(occurrence) && !refused.has(occurrence.alias))
    .map(({ alias }): AliasCheck => [alias, 'local']);
  return {
    passed,
    refusals: all.filter(
      ({ diagnostic: { subject } }, at) =>
        all.findIndex((other) => other.diagnostic.subject?.name === subject?.name) === at,
    ),
    isStopped: false,
  };
}

/** The row of a local failure. */
export function localRow({ subject, code }: Diagnostic): AliasCheck {
  const check = subject === null ? null : failedCheck(subject.operation, code);
  if (subject === null || check === null) throw new Error('a local failure has a row');
  return [subject.name, check];
}

/** A run refuses what it has no adapter for, as it would refuse a selector of an unknown route. */
function hasAdapter({ provider }: Occurrence): boolean {
  return provider.acquire !== null;
}

function unsupported({ alias, destination, index }: Occurrence): Diagnostic {
  return diagnostic('adapter_unavailable', { subject: providerSubject(alias, 'local', { destination, index }) });
}

function inOrder(occurrences: readonly Occurrence[], refusals: readonly Failed[]): readonly Failed[] {
  return occurrences.flatMap(({ destination, index }) =>
    refusals.filter(
      ({ diagnostic: { subject } }) =>
        subject?.occurrence?.destination === destination && subject.occurrence.index === index,
    ),
  );
}
