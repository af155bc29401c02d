import { join } from 'node:path';
import type { Analysis } from '../history/analysis/analysis.ts';
import { answer, refuseQuery, type Answer } from '../history/analysis/answer.ts';
import type { CapturedRun } from '../history/analysis/capture/run.ts';
import type { EvidenceFiles } from '../history/analysis/files/evidence-files.ts';
import { collectRuns, type RunIndex } from '../history/analysis/run-index/collect-runs.ts';
import { readRunIndex, writeIndex, type IndexStorage } from '../history/analysis/run-index/index-file.ts';
import type { IndexRow } from '../history/analysis/run-index/index-row.ts';
import { indexedAnalysis, type IndexedAnalysisOptions } from '../history/analysis/run-index/indexed-analysis.ts';
import { OpenRuns } from '../history/analysis/run-index/open-runs.ts';
import { jsonDigest } from '../documents/digest.ts';
import { VIEWER_ANSWER_BYTES } from './answers.ts';

/** Where the evidence of a project lies, and how much of it may be shown (evidence.md §11). */
export interface EvidencePlaces {
  readonly files: EvidenceFiles;
  /** Absolute. */
  readonly root: string;
  /** `viewer.private`: private traces and inspections are read too. Without it none is ever opened. */
  readonly showsPrivate: boolean;
  /** `artifacts.inspection`. */
  readonly recordsInspection: boolean;
  /** Where the index of these traces is kept between two starts. */
  readonly storage: IndexStorage;
  readonly application: IndexedAnalysisOptions['application'];
  /** Milliseconds of a clock that only goes on. */
  readonly now: () => number;
}

/** One pinned index at a time; every answer comes from it. */
export interface PinnedEvidence {
  readonly analysis: Analysis;
  /** The events of one run. */
  run(runId: string): Promise<Answer<CapturedRun>>;
  /** Runs of the index, and of `private` those files, too, that were not opened. */
  counts(): { readonly public: number; readonly private: number };
  /** Pins what is there now; what is pinned stays where there can be nothing new. */
  refresh(): Promise<Answer<null>>;
  close(): Promise<void>;
}

/** What reading may take before something is shown; the rest is read behind the page. */
const FIRST_LOOK_MS = 1000;
/** Room for what a route adds around a page of an analysis. */
const FRAME_BYTES = 50_000;

const NO_RUNS: RunIndex = {
  runs: [],
  isolated: [],
  excludedPrivate: 0,
  unread: 0,
  snapshotHash: jsonDigest(['svc.traces.v1', []]),
  rows: new Map(),
  hasChanged: false,
};

/** Shows the runs that can be read at once, and goes on to read the others. */
export async function pinEvidence(places: EvidencePlaces): Promise<Answer<PinnedEvidence>> {
  const evidence = new IndexedEvidence(places, await readRunIndex(places.storage));
  const first = await evidence.refresh();
  return first.ok ? answer(evidence) : first;
}

class IndexedEvidence implements PinnedEvidence {
  readonly #places: EvidencePlaces;
  readonly #open: OpenRuns;
  #known: ReadonlyMap<string, IndexRow>;
  #index = NO_RUNS;
  #analysis: Analysis;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(places: EvidencePlaces, known: ReadonlyMap<string, IndexRow>) {
    const { files, root, showsPrivate, recordsInspection } = places;
    this.#places = places;
    this.#known = known;
    this.#open = new OpenRuns({
      files,
      traces: join(root, 'traces'),
      inspections: showsPrivate && recordsInspection ? join(root, 'inspection') : null,
      bytes: VIEWER_ANSWER_BYTES - FRAME_BYTES,
    });
    this.#analysis = this.#analysisOf(NO_RUNS);
  }

  get analysis(): Analysis {
    return this.#analysis;
  }

  async run(runId: string): Promise<Answer<CapturedRun>> {
    const entry = this.#index.runs.find(({ run }) => run.runId === runId);
    return entry === undefined ? refuseQuery('not_found') : this.#open.use(entry, async ({ run }) => answer(run));
  }

  counts(): ReturnType<PinnedEvidence['counts']> {
    const { runs, excludedPrivate } = this.#index;
    const open = runs.filter(({ source }) => source === 'sanitized').length;
    return { public: open, private: runs.length - open + excludedPrivate };
  }

  async refresh(): Promise<Answer<null>> {
    const looked = await this.#inTurn(async () => {
      const since = this.#places.now();
      return this.#look(() => this.#places.now() - since > FIRST_LOOK_MS);
    });
    if (looked.ok && this.#index.unread > 0) void this.#inTurn(async () => this.#look(() => this.#isClosed));
    return looked;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    await this.#open.close();
  }

  /** One after the other: two looks side by side would read the same files. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #look(isTimeOver: () => boolean): Promise<Answer<null>> {
    const { files, root, showsPrivate, storage } = this.#places;
    const directory = join(root, 'traces');
    // Before the first run there is nothing, which is no fault.
    const isEmpty = (await files.facts(root)) === null;
    const collected = isEmpty
      ? answer(NO_RUNS)
      : await collectRuns({
          files,
          directory,
          authority: showsPrivate ? 'private' : 'sanitized',
          known: this.#known,
          isTimeOver,
        });
    if (!collected.ok) return collected;
    const index = collected.value;
    this.#index = index;
    this.#known = index.rows;
    this.#analysis = this.#analysisOf(index);
    if (index.hasChanged) await writeIndex(storage, index.rows.values());
    return answer(null);
  }

  #analysisOf(index: RunIndex): Analysis {
    return indexedAnalysis({
      index,
      open: this.#open,
      bytes: VIEWER_ANSWER_BYTES - FRAME_BYTES,
      application: this.#places.application,
    });
  }
}
