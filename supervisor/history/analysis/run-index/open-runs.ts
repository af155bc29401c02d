import { join } from 'node:path';
import { jsonDigest, type Digest } from '../../../documents/digest.ts';
import { analysisOver, type Analysis } from '../analysis.ts';
import { answer, refuseQuery, type AnalysisFault, type Answer } from '../answer.ts';
import type { IsolatedComponent } from '../capture/isolation.ts';
import type { InspectionCapture } from '../capture/inspections.ts';
import type { ProvenInspection } from '../capture/inspection-file.ts';
import type { CapturedRun } from '../capture/run.ts';
import type { TraceCapture } from '../capture/traces.ts';
import type { EvidenceFiles } from '../files/evidence-files.ts';
import { OTHER_RUN, readEntryAt, readRunInspection, readTrace } from '../single-run.ts';
import { cutValue } from '../queries/cut-value.ts';
import { TRACE_BYTES, type IndexedEntry } from './collect-runs.ts';
import { stampOf } from './index-row.ts';

/** Runs that stay open for the next question. */
const STORED_MOST = 4;

export interface OpenRunsOptions {
  readonly files: EvidenceFiles;
  /** Absolute. */
  readonly traces: string;
  /** Absolute; null where private evidence may not be opened. */
  readonly inspections: string | null;
  /** Bytes of an answer. */
  readonly bytes: number;
}

/** One run whose files were read. */
export interface OpenedRun {
  readonly run: CapturedRun;
  /** All queries over this run alone; its pages belong to the capture of this hash. */
  readonly analysis: (snapshotHash: Digest) => Analysis;
}

interface ReadRun extends OpenedRun {
  close(): Promise<void>;
}

interface OpenEntry {
  readonly opened: Promise<Answer<ReadRun>>;
  users: number;
}

/** Runs of an index, each read when it is asked for; those that were used last stay open. */
export class OpenRuns {
  readonly #options: OpenRunsOptions;
  /** By run and the state of its files, in the order of their last use. */
  readonly #runs = new Map<string, OpenEntry>();

  constructor(options: OpenRunsOptions) {
    this.#options = options;
  }

  /** Works on a run that is open meanwhile; `source_changed` where its trace is not the one that was indexed. */
  async use<T>(entry: IndexedEntry, work: (opened: OpenedRun) => Promise<Answer<T>>): Promise<Answer<T>> {
    const { files, traces, inspections } = this.#options;
    const [trace, inspection] = await Promise.all([
      readEntryAt(files, join(traces, entry.name), entry.name),
      inspections === null
        ? null
        : readEntryAt(files, join(inspections, `${entry.run.runId}.svcins`), `${entry.run.runId}.svcins`),
    ]);
    if (trace === null || stampOf(trace.facts) !== entry.stamp) return refuseQuery('source_changed');
    const key = `${entry.name}\n${entry.stamp}\n${inspection === null ? '' : stampOf(inspection.facts)}`;
    const openEntry = this.#runs.get(key) ?? { opened: openRun(this.#options, { entry, trace, inspection }), users: 0 };
    this.#runs.delete(key);
    this.#runs.set(key, openEntry);
    openEntry.users += 1;
    try {
      const opened = await openEntry.opened;
      // A refusal is not kept: the next question looks again.
      if (!opened.ok) this.#runs.delete(key);
      return opened.ok ? await work(opened.value) : opened;
    } finally {
      openEntry.users -= 1;
      await this.#trim(STORED_MOST);
    }
  }

  /** Closes what nobody uses. */
  async close(): Promise<void> {
    await this.#trim(0);
  }

  async #trim(most: number): Promise<void> {
    for (const [key, openEntry] of Array.from(this.#runs)) {
      if (this.#runs.size <= most) return;
      if (openEntry.users > 0) continue;
      this.#runs.delete(key);
      const opened = await openEntry.opened;
      if (opened.ok) await opened.value.close();
    }
  }
}

type FileEntry = NonNullable<Awaited<ReturnType<typeof readEntryAt>>>;

interface Found {
  readonly entry: IndexedEntry;
  readonly trace: FileEntry;
  readonly inspection: FileEntry | null;
}

async function openRun(
  { files, inspections, bytes }: OpenRunsOptions,
  { entry, trace, inspection }: Found,
): Promise<Answer<ReadRun>> {
  const read = await readTrace(files, trace, { runId: entry.run.runId, most: TRACE_BYTES });
  if (!read.ok) return read;
  if (read.value === OTHER_RUN || read.value.digest !== entry.digest) return refuseQuery('source_changed');
  const { run } = read.value;
  const opened = inspection === null ? null : await readRunInspection(files, inspection, run);
  if (opened?.ok === false && opened.fault === 'source_changed') return opened;
  return answer({
    run,
    analysis: (snapshotHash) => {
      const traces: TraceCapture = {
        runs: new Map([[run.runId, run]]),
        isolated: [],
        excludedPrivate: 0,
        snapshotHash,
        files: 1,
        bytes: entry.bytes,
      };
      return analysisOver(
        { traces, inspections: inspections === null ? null : inspectionsOf(traces, opened) },
        bytes,
        cutValue,
      );
    },
    close: async () => {
      if (opened?.ok === true) await opened.value.close();
    },
  });
}

/** A capture of the one inspection of the one run. */
function inspectionsOf(traces: TraceCapture, opened: Answer<ProvenInspection> | null): InspectionCapture {
  const [runId = ''] = traces.runs.keys();
  const inspection = opened?.ok === true ? opened.value : null;
  const isolated: readonly IsolatedComponent[] =
    opened?.ok === false ? [{ sources: 1, runIds: [runId], reasons: [reasonOf(opened.fault)] }] : [];
  return {
    inspections: new Map(inspection === null ? [] : [[runId, inspection]]),
    isolated,
    snapshotHash: jsonDigest([
      'svc.inspections.v1',
      traces.snapshotHash,
      inspection === null ? [] : [[`${runId}.svcins`, inspection.digest]],
    ]),
    files: inspection === null ? 0 : 1,
    bytes: inspection?.bytes ?? 0,
    // Anyone who opened the run closes it.
    close: async () => undefined,
  };
}

function reasonOf(fault: AnalysisFault): IsolatedComponent['reasons'][number] {
  return fault === 'inspection_correlation_missing' ? fault : 'malformed_source';
}
