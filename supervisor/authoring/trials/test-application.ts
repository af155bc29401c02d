import { mkdtempSync, realpathSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { FailureExplanation } from '../../../contract/diagnostics/explanation.ts';
import { interruption } from '../../../contract/diagnostics/interruption.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { insteadOf, listedNames } from '../../../contract/names/suggestion.ts';
import type { Refused } from '../../../contract/outcome.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import { loadCases, refuseCase, type ListFolder, type TestCase } from '../../documents/cases/load.ts';
import { createDocumentReader, type DocumentReader } from '../../documents/document-reader.ts';
import { assembled, placedTexts } from '../../documents/explain/assemble.ts';
import type { Loaded } from '../../documents/examined-text.ts';
import type { FileSystem } from '../../documents/file-system.ts';
import type { Target } from '../../documents/project/load.ts';
import { REPORTS_FOLDER } from '../../evidence/publication/names.ts';
import { makeDirectory } from '../../evidence/publication/make-directory.ts';
import type { AdmittedFile, PublishedFiles } from '../../evidence/publication/published-files.ts';
import { projectArtifacts } from '../../documents/project/artifacts.ts';
import { loadNamedTarget, namedHost } from '../../documents/project/named.ts';
import { openUserGrants } from '../../service/stores/user-grants.ts';
import { startSupervisor } from '../../service/runs/create.ts';
import { PreparationError } from '../../service/runs/refusals.ts';
import type { PreparedApplication, Supervisor } from '../../service/embedding/types.ts';
import { MoneyBudget } from './budget.ts';
import { openTrialHosts } from './host-documents.ts';
import { junitXml } from './junit.ts';
import { prepareProgram, programEvaluator } from './judge.ts';
import { watchRuns } from './perform-trial.ts';
import { buildReport, type TestReport } from './report.ts';
import { runTrials } from './run-trials.ts';
import { chooseCases, planTrials, type Trial, type TrialPlan, type TrialResult } from './trial.ts';
import { TrialSession } from './trial-session.ts';
import { updateExpected } from './update-expected.ts';

/** What `svc test` is asked (first-day.md §2). */
export interface TestOptions extends TrialPlan {
  /** Names the report. */
  readonly runRef: RunReference;
  /** Manifest or project document, from the working directory unless absolute. */
  readonly document: string;
  /** Absolute. */
  readonly workingDirectory: string;
  readonly programDirectory: string;
  readonly hostConfig: string | null;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly documents: FileSystem;
  readonly files: PublishedFiles;
  /** Milliseconds: of this process, and since 1970. */
  readonly clock: { readonly monotonic: () => number; readonly wall: () => number };
  readonly signal: AbortSignal;
  /** Runs at once; null: as many as there are processors. */
  readonly jobs: number | null;
  /** Dollars; null: no bound. */
  readonly budgetUsd: number | null;
  readonly isUpdating: boolean;
  /** New file for the report as XML; null: none. */
  readonly junit: string | null;
  /** Called with each result, in the order of the cases. */
  readonly onResult: (result: TestReport['cases'][number]) => void;
}

/** What became of it. */
export type TestEnd =
  | { readonly ok: true; readonly report: TestReport; readonly stored: string | null; readonly wasInterrupted: boolean }
  | RefusedTests;

interface RefusedTests extends Refused {
  readonly faults: FailureExplanation | null;
  /** The application itself is at fault: `svc validate` says more of it. */
  readonly isApplication: boolean;
}

const MICRO = 1_000_000;
const encoder = new TextEncoder();

/** Runs the cases of an application, holds each run against what its case expects, and keeps a report. */
export async function testApplication(options: TestOptions): Promise<TestEnd> {
  const reader = createDocumentReader(options.documents, options.workingDirectory);
  const target = await loadNamedTarget(options, reader);
  if (!target.ok) return refused(target.diagnostic, { hint: target.advice?.hint, faults: target.advice?.faults });
  const chosen = await casesOf(options, reader, target.value);
  if (!chosen.ok) return chosen;
  const junit = await admitJunit(options);
  if (junit !== null && 'ok' in junit) return junit;
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'svc-test-')));
  try {
    return await testCases(options, { reader, target: target.value, cases: chosen.cases, junit, scratch });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function refused(
  reported: Diagnostic,
  {
    hint = null,
    faults = null,
    isApplication = false,
  }: {
    readonly hint?: string | null | undefined;
    readonly faults?: FailureExplanation | null | undefined;
    readonly isApplication?: boolean;
  } = {},
): RefusedTests {
  return { ok: false, diagnostic: reported, hint, faults, isApplication };
}

/** Documents that are refused, as people in the working directory read about them. */
function refusedDocuments(
  { workingDirectory }: TestOptions,
  loaded: Exclude<Loaded<unknown>, { ok: true }>,
): RefusedTests {
  return refused(loaded.diagnostic, {
    faults: assembled(loaded.diagnostic, placedTexts(loaded.texts, workingDirectory)),
  });
}

async function casesOf(
  options: TestOptions,
  reader: DocumentReader,
  target: Target,
): Promise<RefusedTests | { readonly ok: true; readonly cases: readonly TestCase[] }> {
  const { mode, document, workingDirectory } = options;
  const directory = await directoryOf(reader, target, document);
  const tests = target.kind === 'project' ? (target.project.document.tests ?? null) : null;
  const sources = { directory: directory ?? workingDirectory, tests: typeof tests === 'string' ? [tests] : tests };
  const loaded = await loadCases(reader, sources, listFolder, mode === 'record' ? 'recorded' : 'needed');
  if (!loaded.ok) return refusedDocuments(options, loaded);
  if (loaded.value.length === 0)
    return refused(diagnostic('invalid_arguments'), {
      hint: `there are no cases: write one into ${join(sources.directory, 'tests', 'first.json')}`,
    });
  const { chosen, unknown } = chooseCases(loaded.value, options);
  const [first] = unknown;
  if (first !== undefined) {
    const known = loaded.value.flatMap(({ name, tags }) => [name, ...tags]);
    const hint = `no case has the name or tag ${listedNames(unknown)}; ${insteadOf(first, [...new Set(known)])}`;
    return refused(diagnostic('invalid_arguments'), { hint });
  }
  return { ok: true, cases: chosen };
}

async function directoryOf(reader: DocumentReader, target: Target, document: string): Promise<string | null> {
  if (target.kind === 'project') return target.project.directory;
  const read = await reader.readNamed(document, 0);
  return read.ok ? read.file.directory : null;
}

const listFolder: ListFolder = async (path) => {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() === true ? (await readdir(path)).toSorted() : null;
};

async function admitJunit({ junit, files }: TestOptions): Promise<AdmittedFile | RefusedTests | null> {
  if (junit === null) return null;
  const place = await files.admit(junit);
  if (place === 'exists') return refused(diagnostic('destination_exists'), { hint: `${junit} exists` });
  if ('unavailable' in place) return refused(diagnostic('result_destination_unavailable'), { hint: place.unavailable });
  return place;
}

interface Chosen {
  readonly reader: DocumentReader;
  readonly target: Target;
  readonly cases: readonly TestCase[];
  readonly junit: AdmittedFile | null;
  /** A folder of this command alone. */
  readonly scratch: string;
}

async function testCases(options: TestOptions, chosen: Chosen): Promise<TestEnd> {
  const { target, cases, scratch } = chosen;
  const { mode, programDirectory, variables } = options;
  const trials = planTrials(cases, options);
  const jobs = options.jobs ?? availableParallelism();
  const project = projectArtifacts(target);
  const root = mode === 'record' || project === null ? `${scratch}/artifacts` : project.root;
  if (root.startsWith(scratch)) makeDirectory(root);
  const runs = watchRuns();
  const supervisor = await startSupervisor(
    {
      programDirectory,
      artifacts: () => root,
      stores: { grants: openUserGrants(variables) },
      variables: () => variables,
      // A run, and the evaluation of its program, for each job; nothing waits for a place.
      limits: { maxRuns: jobs * 2, maxQueued: jobs * 2 },
    },
    runs.watch,
  );
  try {
    return await testWith(options, { ...chosen, supervisor, runs, trials, jobs, root });
  } finally {
    await supervisor.close();
  }
}

interface Testing extends Chosen {
  readonly supervisor: Supervisor;
  readonly runs: ReturnType<typeof watchRuns>;
  readonly trials: readonly Trial[];
  readonly jobs: number;
  readonly root: string;
}

async function testWith(options: TestOptions, testing: Testing): Promise<TestEnd> {
  const { mode, signal, clock, onResult, budgetUsd } = options;
  const { trials, jobs } = testing;
  const startedAt = clock.wall();
  const before = clock.monotonic();
  const programs = await preparePrograms(options, testing);
  if ('ok' in programs) return programs;
  const session = await openSession(options, testing, programs);
  const unfit = await prepareOwn(session, trials, mode);
  if (unfit !== null) return unfit;
  const head = {
    report: options.runRef,
    startedAt,
    durationMs: 0,
    application: options.document,
    mode,
    fileName: (path: string) => nearName(options.workingDirectory, path),
    updated: new Set<TrialResult>(),
    recorded: new Set<TrialResult>(),
  };
  const results = await runTrials(trials, {
    mode,
    jobs,
    budget: budgetUsd === null ? null : new MoneyBudget(Math.round(budgetUsd * MICRO)),
    signal,
    perform: (trial, share) => session.perform(trial, share),
    boundOf: (trial) => session.boundOf(trial),
    onResult: (result) => {
      if (session.recorded.has(result.trial)) head.recorded.add(result);
      const [reported] = buildReport([result], head).cases;
      if (reported !== undefined) onResult(reported);
    },
  });
  const updated = options.isUpdating ? await updateExpected(results) : head.updated;
  const report = buildReport(results, { ...head, updated, durationMs: clock.monotonic() - before });
  return publish(options, testing, report);
}

function nearName(directory: string, path: string): string {
  const near = relative(directory, path);
  return near.startsWith('..') ? path : near;
}

async function preparePrograms(
  options: TestOptions,
  { reader, cases, supervisor }: Testing,
): Promise<ReadonlyMap<string, PreparedApplication> | RefusedTests> {
  const programs = new Map<string, PreparedApplication>();
  for (const one of cases) {
    const { program } = one.expect;
    if (program === undefined || programs.has(program)) continue;
    try {
      programs.set(program, await prepareProgram(supervisor, program));
    } catch (error) {
      if (!(error instanceof PreparationError)) throw error;
      const path = ['expect', 'program'];
      const refusal = await refuseCase(reader, one, { path, problem: `this is not a program: ${error.message}` });
      if (!refusal.ok) return refusedDocuments(options, refusal);
    }
  }
  return programs;
}

async function openSession(
  options: TestOptions,
  { reader, target, supervisor, runs, scratch }: Testing,
  programs: ReadonlyMap<string, PreparedApplication>,
): Promise<TrialSession> {
  const { hostConfig, document, workingDirectory, signal, clock, mode, budgetUsd } = options;
  const hosts = await openTrialHosts(reader, {
    name: namedHost(target, hostConfig),
    directory: scratch,
    budgetMicrousd: budgetUsd === null ? null : Math.round(budgetUsd * MICRO),
  });
  const project = projectArtifacts(target);
  return new TrialSession({
    supervisor,
    runs,
    hosts,
    document,
    workingDirectory,
    hostConfig,
    signal,
    now: () => clock.monotonic(),
    evaluate: programEvaluator(supervisor, programs),
    isRecording: mode === 'record',
    artifacts: { trace: project?.trace === true, inspection: project?.inspection === true },
  });
}

/** The application as it is: what is wrong with it is wrong with every case. */
async function prepareOwn(
  session: TrialSession,
  trials: readonly Trial[],
  mode: TestOptions['mode'],
): Promise<RefusedTests | null> {
  for (const trial of trials) {
    const isRun = mode !== 'replay' || !trial.subject.isLive;
    if (!isRun || !(await session.hasOwnHost(trial))) continue;
    try {
      await session.prepareOwn(trial);
      return null;
    } catch (error) {
      if (!(error instanceof PreparationError)) throw error;
      return refused(error.diagnostic ?? diagnostic('internal_error', { cause: 'unexpected_exception' }), {
        isApplication: true,
      });
    }
  }
  return null;
}

async function publish(
  { files, runRef, signal }: TestOptions,
  { target, junit }: Testing,
  report: TestReport,
): Promise<TestEnd> {
  if (junit !== null && !(await junit.publish(encoder.encode(junitXml(report)))))
    return refused(diagnostic('result_publication_failed'));
  const project = projectArtifacts(target);
  const stored = project === null ? null : await keep(files, `${project.root}/${REPORTS_FOLDER}`, runRef, report);
  if (stored === 'failed') return refused(diagnostic('result_publication_failed'));
  return { ok: true, report, stored: stored?.path ?? null, wasInterrupted: signal.aborted };
}

async function keep(
  files: PublishedFiles,
  folder: string,
  name: string,
  report: TestReport,
): Promise<{ readonly path: string } | 'failed'> {
  try {
    makeDirectory(folder);
  } catch {
    return 'failed';
  }
  const path = `${folder}/${name}.json`;
  const place = await files.admit(path);
  if (place === 'exists' || 'unavailable' in place) return 'failed';
  return (await place.publish(encoder.encode(`${canonicalJson(reportJson(report))}\n`))) ? { path } : 'failed';
}

/** The report as JSON. */
export function reportJson(report: TestReport): JsonValue {
  const value = jsonFromPlain(report);
  if (value === undefined) throw new TypeError('a report holds JSON values only');
  return value;
}

/** Why a command whose cases did not all pass ends with its status: 5 as of a program that failed. */
export function failedTests(wasInterrupted: boolean): Diagnostic {
  return wasInterrupted ? interruption() : diagnostic('explicit_failure');
}
