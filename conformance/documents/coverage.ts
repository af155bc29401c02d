/** Writes coverage.txt: which codes before execution have a black-box case here, and why the others have none. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODES_BY_PHASE } from '../envelopes/checker/codes.ts';
import { caseGroups } from './document-case.ts';

export const COVERAGE_FILE = join(import.meta.dirname, 'coverage.txt');

/** In the order of a command's life. */
const PHASES_BEFORE_EXECUTION = [
  'arguments',
  'project',
  'host',
  'application',
  'bundle',
  'provider_declaration',
  'destination',
  'local_preflight',
  'active_preflight',
  'provider_acquisition',
];

const PROVIDERS = 'needs providers, later';
const ABSENT = 'needs a command that is not built yet';
const RACE = 'needs another owner of the destination, or a file system that refuses: publication tests';

/** What is checked before any provider is there (runtime.md §1, steps 11 and 13). */
const INERT: ReadonlySet<string> = new Set([
  'environment_file_not_found',
  'environment_file_not_regular',
  'environment_file_unreadable',
  'environment_file_too_large',
  'environment_file_invalid',
  'environment_file_invalid_utf8',
  'authorization_target_unknown',
  'authorization_not_applicable',
  'fixtures_unreadable',
  'local_check_timeout',
]);

/** Why a code has no case; a row whose code has one is stale and fails the suite. */
export const REASONS: Readonly<Record<string, string>> = {
  schema_validation_unavailable:
    'needs a schema check of more than a second, which no document within its bounds takes: budget tests',
  selection_unverifiable:
    'no source has a selection that only an active check could verify: host documents and programs declare what may be chosen',
  recovery_reservation_failed: RACE,
  prune_unsafe_directory: `${ABSENT}: prune`,
  prune_unavailable: `${ABSENT}: prune`,
  prune_delete_failed: `${ABSENT}: prune`,
  ...Object.fromEntries(
    codesOf(['local_preflight', 'active_preflight', 'provider_acquisition'])
      .filter((code) => !INERT.has(code))
      .map((code) => [code, PROVIDERS]),
  ),
};

function codesOf(phases: readonly string[]): readonly string[] {
  return phases.flatMap((phase) => CODES_BY_PHASE[phase] ?? []);
}

/** Number of cases by code. */
export function casesByCode(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { cases } of caseGroups()) {
    for (const { expected } of cases) {
      if (expected !== null) counts.set(expected.code, (counts.get(expected.code) ?? 0) + 1);
    }
  }
  return counts;
}

export const CODES_BEFORE_EXECUTION: readonly string[] = codesOf(PHASES_BEFORE_EXECUTION);

export function coverageText(): string {
  const counts = casesByCode();
  const rows = CODES_BEFORE_EXECUTION.map((code) => {
    const count = counts.get(code) ?? 0;
    return `${code}: ${count === 0 ? `none, ${REASONS[code] ?? 'and no reason'}` : String(count)}`;
  });
  const covered = CODES_BEFORE_EXECUTION.filter((code) => counts.has(code)).length;
  return [
    `${String(covered)} of ${String(rows.length)} codes before execution have black-box cases`,
    '',
    ...rows,
    '',
  ].join('\n');
}

if (import.meta.main) writeFileSync(COVERAGE_FILE, coverageText());
