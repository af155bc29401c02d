import type { Success } from '../../../contract/outcome.ts';
import { join } from 'node:path';
import type { JsonValue } from '../../../contract/json/value.ts';
import { analysisOver, type AnalysisCapture } from '../../history/analysis/analysis.ts';
import { refuseQuery, type AnalysisFault } from '../../history/analysis/answer.ts';
import { captureCatalogue, queryCatalogue } from '../../history/analysis/catalogue/catalogue.ts';
import { captureInspections } from '../../history/analysis/capture/inspections.ts';
import { captureTraces } from '../../history/analysis/capture/traces.ts';
import type { EvidenceFiles } from '../../history/analysis/files/evidence-files.ts';
import { captureRun, type SingleRun, type SingleRunFault } from '../../history/analysis/single-run.ts';
import { jsonDigest } from '../../documents/digest.ts';
import type { Profile } from './contract.ts';
import type { AnswerQuery } from './queries.ts';
import { setupRefusal, type SessionCode, type SetupRefusal } from './refusal.ts';

/** Bytes of one answer (evidence.md §7). */
const ANSWER_BYTES = 1_000_000;
const EMPTY = 'there is no run to look at';
const EMPTY_HINT = 'traces that svc run keeps are RUN_ID.jsonl below the artifact root of their project';
const TRACE_BYTES = 8_000_000;
const INSPECTION_BYTES = 536_870_912;
const INSPECTION_FILES = 1024;

/** Absolute directories of a profile's resources, by name. */
export type ResourceDirectories = ReadonlyMap<string, string>;

export interface ResourceCount {
  readonly files: number;
  readonly runs: number;
}

/** What a session asks: evidence as it was when the session was opened. */
export interface ProfileCapture {
  readonly answer: AnswerQuery;
  /** By name of the resource. */
  readonly counts: ReadonlyMap<string, ResourceCount>;
  close(): Promise<void>;
}

export type CaptureAnswer = Success<ProfileCapture> | SetupRefusal;

export interface CaptureRequest {
  readonly files: EvidenceFiles;
  readonly profile: Profile;
  readonly directories: ResourceDirectories;
  /** Exactly these runs; empty: all of the directories. */
  readonly runs: readonly string[];
}

/**
 * Captures what a profile reads, whole directories or exactly the named runs; an empty capture is refused (cli.md §11).
 */
export async function captureProfile(request: CaptureRequest): Promise<CaptureAnswer> {
  if (request.profile.queries.includes('catalog')) return captureRows(request);
  const captured = await (request.runs.length === 0 ? captureDirectories(request) : captureNamed(request));
  if (!captured.ok || [...captured.value.counts.values()].some(({ runs }) => runs > 0)) return captured;
  await captured.value.close();
  return setupRefusal('command_failed', EMPTY, EMPTY_HINT);
}

/** The catalogue shows damaged runs too: it is empty without files alone. */
async function captureRows({ files, directories }: CaptureRequest): Promise<CaptureAnswer> {
  const captured = await captureCatalogue({
    files,
    traces: directoryOf(directories, 'traces'),
    inspection: directoryOf(directories, 'inspection'),
  });
  if (!captured.ok)
    return captured.fault === 'source_limit_exceeded'
      ? setupRefusal('catalog_limit_exceeded', 'there are more runs than a catalogue may hold', null)
      : faultRefusal(captured.fault);
  const { value: catalogue } = captured;
  if (catalogue.rows.length === 0) return setupRefusal('command_failed', EMPTY, EMPTY_HINT);
  const answer: AnswerQuery = async (query, options) =>
    query === 'catalog' ? queryCatalogue(catalogue, options, ANSWER_BYTES) : refuseQuery('invalid_query');
  const runs = (name: string, absent: JsonValue): number =>
    catalogue.rows.filter((row) => row.get(name) !== absent).length;
  const counts = new Map([
    ['traces', { files: catalogue.traceFiles, runs: runs('trace_present', 'absent') }],
    ['inspection', { files: catalogue.inspectionFiles, runs: runs('inspection_present', false) }],
  ]);
  return { ok: true, value: { answer, counts, close: async () => undefined } };
}

async function captureDirectories({ files, profile, directories }: CaptureRequest): Promise<CaptureAnswer> {
  const traces = await captureTraces({
    files,
    directory: directoryOf(directories, 'traces'),
    authority: profile.isPrivate ? 'private' : 'sanitized',
    sourceBytes: TRACE_BYTES,
  });
  if (!traces.ok) return faultRefusal(traces.fault);
  const counts = new Map([['traces', { files: traces.value.files, runs: traces.value.runs.size }]]);
  if (!profile.isPrivate) return captureOf({ traces: traces.value, inspections: null }, counts);
  const inspections = await captureInspections({
    files,
    directory: directoryOf(directories, 'inspection'),
    mostFiles: INSPECTION_FILES,
    sourceBytes: INSPECTION_BYTES,
    traces: traces.value,
  });
  if (!inspections.ok) return faultRefusal(inspections.fault);
  counts.set('inspection', { files: inspections.value.files, runs: inspections.value.inspections.size });
  return captureOf({ traces: traces.value, inspections: inspections.value }, counts);
}

function captureOf(capture: AnalysisCapture, counts: ProfileCapture['counts']): CaptureAnswer {
  const analysis = analysisOver(capture, ANSWER_BYTES);
  const answer: AnswerQuery = async (query, options) =>
    query === 'catalog' ? refuseQuery('invalid_query') : analysis[query](options);
  return { ok: true, value: { answer, counts, close: async () => capture.inspections?.close() } };
}

/** All of the named runs or none; nothing is listed, nothing else is opened. */
async function captureNamed({ files, directories, runs }: CaptureRequest): Promise<CaptureAnswer> {
  const [traces, inspection] = [directoryOf(directories, 'traces'), directoryOf(directories, 'inspection')];
  const opened: SingleRun[] = [];
  let bytes = 0n;
  let refused: SetupRefusal | null = null;
  for (const runId of runs.toSorted()) {
    const inspectionFile = join(inspection, `${runId}.svcins`);
    bytes += (await files.facts(inspectionFile))?.size ?? 0n;
    if (bytes > BigInt(INSPECTION_BYTES))
      refused = setupRefusal(
        'selected_set_limit_exceeded',
        'the inspections of the named runs are too large together',
        null,
      );
    const run = refused === null ? await captureRun({ files, runId, traces, inspectionFile }) : null;
    if (run?.ok === true) opened.push(run.value);
    else if (run !== null) refused = runRefusal(run.fault);
    if (refused !== null) break;
  }
  // Files of the first may have changed while those of the last were read.
  if (refused === null && !(await Promise.all(opened.map(async (run) => run.isUnchanged()))).every(Boolean))
    refused = faultRefusal('source_changed');
  if (refused === null) return selectedCapture(opened, bytes);
  await closeAll(opened);
  return refused;
}

function selectedCapture(opened: readonly SingleRun[], bytes: bigint): CaptureAnswer {
  const evidence = opened.map((run) => run.evidence);
  const size = opened.length;
  const traces: AnalysisCapture['traces'] = {
    runs: new Map(evidence.map(({ run }) => [run.runId, run])),
    isolated: [],
    excludedPrivate: 0,
    snapshotHash: jsonDigest(['svc.selected-traces.v1', opened.map(({ traceSnapshotHash }) => traceSnapshotHash)]),
    files: size,
    bytes: 0,
  };
  const inspections: AnalysisCapture['inspections'] = {
    inspections: new Map(evidence.map(({ inspection }) => [inspection.runId, inspection])),
    isolated: [],
    snapshotHash: jsonDigest(['svc.selected-inspections.v1', opened.map(({ snapshotHash }) => snapshotHash)]),
    files: size,
    bytes: Number(bytes),
    close: async () => closeAll(opened),
  };
  const count = { files: size, runs: size };
  return captureOf(
    { traces, inspections },
    new Map([
      ['traces', count],
      ['inspection', count],
    ]),
  );
}

async function closeAll(opened: readonly SingleRun[]): Promise<void> {
  await Promise.all(opened.map(async (run) => run.close()));
}

function directoryOf(directories: ResourceDirectories, name: string): string {
  const directory = directories.get(name);
  if (directory === undefined) throw new Error('every resource of a profile is found before it is captured');
  return directory;
}

const FAULT_CODES: Readonly<Partial<Record<AnalysisFault, SessionCode>>> = {
  source_changed: 'source_changed',
  source_limit_exceeded: 'source_limit_exceeded',
  source_unavailable: 'source_unavailable',
  malformed_source: 'malformed_source',
  unsupported_version: 'unsupported_schema',
  inspection_correlation_missing: 'inspection_correlation_missing',
  result_limit_exceeded: 'result_limit_exceeded',
};

const FAULT_MESSAGES: Readonly<Partial<Record<AnalysisFault, string>>> = {
  source_changed: 'evidence changed while it was captured; open the session again',
  source_limit_exceeded: 'there is more evidence than one session may capture',
  source_unavailable: 'evidence cannot be read',
  malformed_source: 'evidence is damaged',
  unsupported_version: 'evidence is of a version that this program does not read',
  inspection_correlation_missing: 'an inspection is not of the run whose name it has',
};

export function faultRefusal(fault: AnalysisFault): SetupRefusal {
  return setupRefusal(
    FAULT_CODES[fault] ?? 'profile_setup_failed',
    FAULT_MESSAGES[fault] ?? 'evidence cannot be captured',
    null,
  );
}

/** A single file that is not regular cannot be read; a single trace without its run is of another. */
function runRefusal(fault: SingleRunFault): SetupRefusal {
  switch (fault.kind) {
    case 'run_not_found':
      return setupRefusal('selected_trace_missing', 'a named run has no trace', null);
    case 'inspection_not_found':
      return setupRefusal(
        'selected_inspection_missing',
        'a named run has no inspection',
        'svc run --inspect run.svcins, or artifacts.inspection in the project, keeps one',
      );
    case 'run_ambiguous':
      return setupRefusal('ambiguous_selected_trace', 'a named run has a normal and a private trace', null);
    case 'run_mismatch':
      return setupRefusal('selected_run_mismatch', 'the trace of a named run is of another one', null);
    case 'trace':
      return fault.fault === 'source_unavailable'
        ? setupRefusal(
            'selected_trace_not_regular',
            'the trace of a named run is no regular file that can be read',
            null,
          )
        : faultRefusal(fault.fault);
    case 'inspection':
      return fault.fault === 'source_unavailable'
        ? setupRefusal(
            'selected_inspection_not_regular',
            'the inspection of a named run is no regular file that can be read',
            null,
          )
        : faultRefusal(fault.fault);
  }
}
