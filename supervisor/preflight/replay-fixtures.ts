import { diagnostic, providerSubject } from '../../contract/diagnostics/diagnostic.ts';
import type { DiagnosticCode } from '../../contract/diagnostics/diagnostic.ts';
import { loadFixtures, MAX_FIXTURE_BYTES } from '../../adapters/pool/replay-fixtures.ts';
import type { FixtureFault, FixtureLoad } from '../../adapters/pool/replay-fixtures.ts';
import type { Now } from '../documents/budget.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { InstallationOf } from '../documents/host/fields.ts';
import type { ReadOutcome } from '../documents/safe-file.ts';
import type { LocalRefusal } from './local-check.ts';
import type { Occurrence } from './occurrence.ts';

type ReplayInstallation = InstallationOf<'llm_replay'> | InstallationOf<'decision_replay'>;

export interface FixtureCheckRequest {
  readonly reader: DocumentReader;
  /** Canonical directory of the host document. */
  readonly hostDirectory: string;
  /** In order of the declarations. */
  readonly occurrences: readonly Occurrence[];
  /** `local_preflight_timeout_ms`: for all fixtures together. */
  readonly timeoutMs: number;
  readonly now: Now;
}

/** Reads the fixtures of every selected replay source; the first that cannot be used is told (runtime.md §1). */
export async function checkReplayFixtures(request: FixtureCheckRequest): Promise<LocalRefusal | null> {
  const { reader, hostDirectory, occurrences, timeoutMs, now } = request;
  const deadline = now() + timeoutMs;
  const expired = (): boolean => now() >= deadline;
  for (const occurrence of occurrences) {
    const { installation } = occurrence;
    if (installation.source !== 'llm_replay' && installation.source !== 'decision_replay') continue;
    const read = await readFixtures(reader, hostDirectory, installation.fixtures);
    const loaded = expired() ? { status: 'expired' } as const : load(read, installation, expired);
    switch (loaded.status) {
      case 'loaded':
        continue;
      case 'expired':
        return refusal('local_check_timeout', occurrence, null);
      case 'unreadable':
        return refusal('fixtures_unreadable', occurrence, 'the fixture file breaks the rule: readable');
      case 'refused':
        return refusal('fixtures_unreadable', occurrence, hintOf(loaded.fault));
    }
  }
  return null;
}

function load(read: ReadOutcome, { ceilings }: ReplayInstallation, expired: () => boolean): FixtureLoad | { readonly status: 'unreadable' } {
  if (!read.ok) return { status: 'unreadable' };
  const { max_entries: maxEntries, max_result_bytes: maxResultBytes } = ceilings;
  return loadFixtures(read.file.bytes, { maxEntries, maxResultBytes }, expired);
}

/** A relative path stays beneath the host document's directory (providers.md §6). */
async function readFixtures(reader: DocumentReader, hostDirectory: string, path: string): Promise<ReadOutcome> {
  if (path.startsWith('/')) return reader.readNamed(path, MAX_FIXTURE_BYTES);
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return reader.readReference(hostDirectory, segments.join('/'), MAX_FIXTURE_BYTES);
}

function hintOf({ rule, line }: FixtureFault): string {
  return `the fixture file breaks the rule: ${rule}${line === null ? '' : `, line ${String(line)}`}`;
}

function refusal(code: DiagnosticCode, { alias, destination, index }: Occurrence, hint: string | null): LocalRefusal {
  return { diagnostic: diagnostic(code, { subject: providerSubject(alias, 'local', { destination, index }) }), hint };
}
