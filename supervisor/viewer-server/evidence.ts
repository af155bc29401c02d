import { analysisOver } from '../analysis/analysis.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { answer } from '../analysis/answer.ts';
import type { Answer } from '../analysis/answer.ts';
import { captureInspections } from '../analysis/capture/inspections.ts';
import type { InspectionCapture } from '../analysis/capture/inspections.ts';
import type { CapturedRun } from '../analysis/capture/run.ts';
import { captureTraces } from '../analysis/capture/traces.ts';
import type { TraceCapture } from '../analysis/capture/traces.ts';
import type { EvidenceFiles } from '../analysis/files/evidence-files.ts';
import { jsonDigest } from '../documents/digest.ts';
import { ANSWER_BYTES } from './answers.ts';

/** Where the evidence of a project lies, and how much of it may be shown (evidence.md §11). */
export interface EvidencePlaces {
  readonly files: EvidenceFiles;
  /** Absolute. */
  readonly root: string;
  /** `viewer.private`: private traces and inspections are captured too. Without it none is ever opened. */
  readonly showsPrivate: boolean;
  /** `artifacts.inspection`. */
  readonly recordsInspection: boolean;
}

/** One pinned capture at a time; every answer comes from it. */
export interface PinnedEvidence {
  readonly analysis: Analysis;
  /** One run with its events; null where the capture has none of this id. */
  run(runId: string): CapturedRun | null;
  /** Runs of the capture, and of `private` those files, too, that were not opened. */
  counts(): { readonly public: number; readonly private: number };
  /** Takes a new capture in place of this one, which stays where there can be none. */
  refresh(): Promise<Answer<null>>;
  close(): Promise<void>;
}

const TRACE_BYTES = 8_000_000;
const INSPECTION_BYTES = 536_870_912;
const INSPECTION_FILES = 1024;

const NO_TRACES: TraceCapture = { runs: new Map(), isolated: [], excludedPrivate: 0, snapshotHash: jsonDigest(['svc.traces.v1', []]), files: 0, bytes: 0 };

interface Capture {
  readonly analysis: Analysis;
  readonly traces: TraceCapture;
  readonly inspections: InspectionCapture | null;
}

export async function pinEvidence(places: EvidencePlaces): Promise<Answer<PinnedEvidence>> {
  const first = await capture(places);
  if (!first.ok) return first;
  let pinned = first.value;
  let turn: Promise<unknown> = Promise.resolve();
  const replace = async (): Promise<Answer<null>> => {
    const next = await capture(places);
    if (!next.ok) return next;
    const { inspections } = pinned;
    pinned = next.value;
    await inspections?.close();
    return answer(null);
  };
  return answer({
    get analysis() { return pinned.analysis; },
    run: (runId) => pinned.traces.runs.get(runId) ?? null,
    counts: () => countsOf(pinned.traces),
    // One after the other: two captures side by side would leave one open.
    refresh: async () => {
      const refreshed = turn.then(replace);
      turn = refreshed.catch(() => undefined);
      return refreshed;
    },
    close: async () => {
      await turn;
      await pinned.inspections?.close();
    },
  });
}

function countsOf({ runs, excludedPrivate }: TraceCapture): ReturnType<PinnedEvidence['counts']> {
  const open = [...runs.values()].filter(({ source }) => source === 'sanitized').length;
  return { public: open, private: runs.size - open + excludedPrivate };
}

async function capture({ files, root, showsPrivate, recordsInspection }: EvidencePlaces): Promise<Answer<Capture>> {
  // Before the first run there is nothing, which is no fault.
  if ((await files.facts(root)) === null) return answer({ analysis: analysisOver({ traces: NO_TRACES, inspections: null }, ANSWER_BYTES), traces: NO_TRACES, inspections: null });
  const traces = await captureTraces({ files, directory: `${root}/traces`, authority: showsPrivate ? 'private' : 'sanitized', sourceBytes: TRACE_BYTES });
  if (!traces.ok) return traces;
  if (!showsPrivate || !recordsInspection) return answer({ analysis: analysisOver({ traces: traces.value, inspections: null }, ANSWER_BYTES), traces: traces.value, inspections: null });
  const inspections = await captureInspections({ files, directory: `${root}/inspection`, mostFiles: INSPECTION_FILES, sourceBytes: INSPECTION_BYTES, traces: traces.value });
  if (!inspections.ok) return inspections;
  return answer({ analysis: analysisOver({ traces: traces.value, inspections: inspections.value }, ANSWER_BYTES), traces: traces.value, inspections: inspections.value });
}
