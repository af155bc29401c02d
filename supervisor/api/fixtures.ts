import type { Success } from '../../contract/outcome.ts';
import { diagnostic, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import {
  loadFixtures,
  MAX_FIXTURE_BYTES,
  requestsPath,
  type ReplayFixtures,
} from '../../adapters/pool/replay-fixtures.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import type { FileSystem } from '../documents/file-system.ts';
import { INSPECTION_FILE_BYTES } from '../evidence/inspection/read-inspection.ts';
import { compareFixtures, type FixtureComparison } from '../authoring/fixtures/compare-fixtures.ts';
import { recordedCalls, type RecordedCall } from '../authoring/fixtures/recorded-calls.ts';
import { writeFixtures, type WrittenFixtures } from '../authoring/fixtures/write-fixtures.ts';
import type { AdmittedFile, PublishedFiles } from '../evidence/publication/published-files.ts';

/** What a fixture file may hold that any installation takes (providers.md §1). */
const CEILINGS = { maxEntries: 10_000, maxResultBytes: 1_048_576 } as const;

/** A failure and what a person may do about it. */
export interface FixtureRefusal {
  readonly diagnostic: Diagnostic;
  readonly hint: string | null;
}

type Step<T> = Success<T> | ({ readonly ok: false } & FixtureRefusal);

/** How many entries were written, of which answers, and what could not be. */
export type RecordingFacts = Pick<WrittenFixtures, 'entries' | 'answers' | 'unanswered' | 'approximated'>;

/** From which inspection, and to where. */
export interface RecordFixturesOptions {
  /** Absolute, as all that follow. */
  readonly inspection: string;
  readonly out: string;
  readonly documents: FileSystem;
  readonly files: PublishedFiles;
}

/**
 * Writes the fixtures of a run from its inspection, and beside them the requests that they answer (`requestsPath`),
 * both for their owner alone and neither in the place of another file.
 */
export async function recordFixtures({
  inspection,
  out,
  documents,
  files,
}: RecordFixturesOptions): Promise<Step<RecordingFacts>> {
  const places = await admitRun(files, [out, requestsPath(out)]);
  if (!places.ok) return places;
  const calls = await readCalls(documents, inspection);
  if (!calls.ok) return calls;
  const { fixtures, requests, ...facts } = writeFixtures(calls.value);
  if (facts.entries === 0) return refused('invalid_arguments', 'the inspected run has no answer of a model');
  const bytes = new TextEncoder().encode(fixtures);
  const loaded = loadFixtures(bytes, CEILINGS, () => false);
  if (loaded.status !== 'loaded')
    return refused(
      'invalid_arguments',
      loaded.status === 'refused'
        ? `the answers of the run are too much for one fixture file: ${loaded.fault.rule}`
        : null,
    );
  const [fixturePlace, requestPlace] = places.value;
  // The requests first: without them the fixtures are whole, and without fixtures they are of no use.
  const isWritten =
    (await requestPlace.publish(new TextEncoder().encode(requests))) && (await fixturePlace.publish(bytes));
  return isWritten ? { ok: true, value: facts } : refused('result_publication_failed', null);
}

/** Which fixtures, and the inspections of the runs to hold against them. */
export interface CheckFixturesOptions {
  readonly fixtures: string;
  /** Of one run each. */
  readonly inspections: readonly string[];
  readonly documents: FileSystem;
}

/** Compares a fixture file with what some runs asked. */
export async function checkFixtureFile({
  fixtures,
  inspections,
  documents,
}: CheckFixturesOptions): Promise<Step<FixtureComparison>> {
  const file = await readFixtures(documents, fixtures);
  if (!file.ok) return file;
  const runs: (readonly RecordedCall[])[] = [];
  for (const inspection of inspections) {
    const calls = await readCalls(documents, inspection);
    if (!calls.ok) return calls;
    runs.push(calls.value);
  }
  return { ok: true, value: compareFixtures(file.value, runs) };
}

async function admitRun(
  files: PublishedFiles,
  [fixtures, requests]: readonly [string, string],
): Promise<Step<readonly [AdmittedFile, AdmittedFile]>> {
  const first = await files.admit(fixtures);
  const second = await files.admit(requests);
  if (first === 'exists' || second === 'exists')
    return refused(
      'destination_exists',
      first === 'exists' ? null : 'the requests of the fixtures lie beside them, and their file exists',
    );
  if ('unavailable' in first) return refused('result_destination_unavailable', first.unavailable);
  if ('unavailable' in second) return refused('result_destination_unavailable', second.unavailable);
  return { ok: true, value: [first, second] };
}

async function readCalls(documents: FileSystem, inspection: string): Promise<Step<readonly RecordedCall[]>> {
  // Each in a reader of its own: what was read of one is let go before the next.
  const read = await createDocumentReader(documents, '/').readNamed(inspection, INSPECTION_FILE_BYTES);
  if (!read.ok || read.file.bytes.length > INSPECTION_FILE_BYTES)
    return refused('invalid_arguments', 'the inspection is not a file that can be read safely');
  const calls = await recordedCalls(read.file.bytes);
  if (calls.ok) return { ok: true, value: calls.calls };
  return refused(
    'invalid_arguments',
    calls.fault === 'unsealed'
      ? 'the inspection has no seal: its run did not come to an end'
      : 'the inspection is not what its own chain says',
  );
}

async function readFixtures(documents: FileSystem, path: string): Promise<Step<ReplayFixtures>> {
  const read = await createDocumentReader(documents, '/').readNamed(path, MAX_FIXTURE_BYTES);
  if (!read.ok) return refused('invalid_arguments', 'the fixtures are not a file that can be read safely');
  const loaded = loadFixtures(read.file.bytes, CEILINGS, () => false);
  if (loaded.status === 'loaded') return { ok: true, value: loaded.fixtures };
  const { rule, line } = loaded.status === 'refused' ? loaded.fault : { rule: 'readable', line: null };
  return refused(
    'invalid_arguments',
    `the fixture file breaks the rule: ${rule}${line === null ? '' : `, line ${String(line)}`}`,
  );
}

function refused(
  code: 'invalid_arguments' | 'destination_exists' | 'result_destination_unavailable' | 'result_publication_failed',
  hint: string | null,
): { readonly ok: false } & FixtureRefusal {
  return { ok: false, diagnostic: diagnostic(code), hint };
}
