import { randomFillSync } from 'node:crypto';
import { success } from '../../../contract/outcome.ts';
import { effectiveLimits, type WrittenLimits } from '../../../contract/limits/effective.ts';
import { newRunReference } from '../../../contract/run-reference.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import type { Clock } from '../../../system/clock.ts';
import type { PublicationFileSystem } from '../../evidence/publication/file-system.ts';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { processOwnerProbe } from '../../evidence/publication/owner.ts';
import type { RunnableApplication } from '../application.ts';
import { bareEnvironments } from '../bare-environments.ts';
import { ENTRY_EXPORT } from './fake-sandbox.ts';
import type { ProjectArtifacts } from '../../documents/project/artifacts.ts';
import type { OpenEnvironments } from '../environments.ts';
import { performRun, type RunReport } from '../perform-run.ts';
import type { EntryRunRequest, RunTools } from '../run-request.ts';

/** A clock that moves only when a test moves it. */
export interface ManualClock extends Clock {
  advance(milliseconds: number): void;
}

export function manualClock(): ManualClock {
  let now = 1000;
  return {
    monotonic: () => now,
    wall: () => 1_893_553_445_000 + now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}

export function plainApplication(
  overrides: Partial<RunnableApplication> = {},
  requested: WrittenLimits = {},
): RunnableApplication {
  const limits = effectiveLimits(requested, {});
  if (!limits.ok) throw new Error('the limits of this test are refused');
  return {
    workflow: {
      components: [
        { id: 'main', dependencies: [], source: '(ns main)', file: 'main.clj', opens: null, isLibrary: false },
      ],
      bundleHash: 'a'.repeat(64),
      code: 'bundle',
      exports: [ENTRY_EXPORT],
    },
    entry: 'main/run',
    missions: new Map(),
    modelAliases: [],
    warnings: [],
    input: '{"name":"world"}',
    resultContract: null,
    limits: limits.values,
    decidedLimits: limits,
    artifactClass: 'normal',
    eventIdentity: { runId: null, traceId: null },
    labels: {},
    override: null,
    ...overrides,
  };
}

export interface FixtureOptions {
  readonly sandbox: Sandbox;
  readonly clock?: Clock;
  readonly fileSystem?: PublicationFileSystem;
  readonly signal?: AbortSignal;
}

/** The seams of a run, each of which a test may give otherwise. */
export interface RunSeams
  extends Pick<RunTools, 'publication' | 'clock'>, Pick<EntryRunRequest, 'signal' | 'onEvaluated'> {
  readonly sandbox: Sandbox;
  readonly openEnvironments: OpenEnvironments;
}

export function runSeams({
  sandbox,
  clock = manualClock(),
  fileSystem = nodeFileSystem(),
  signal = new AbortController().signal,
}: FixtureOptions): RunSeams {
  return {
    sandbox,
    clock,
    signal,
    publication: { fileSystem, owners: processOwnerProbe(), wallClock: Date.now },
    onEvaluated: () => undefined,
    openEnvironments: async (context) => success(bareEnvironments(context)),
  };
}

/** What a test asks of a run. */
export interface TestRun extends Pick<EntryRunRequest, 'runRef' | 'explicit'> {
  readonly project: ProjectArtifacts | null;
}

export function testRun(overrides: Partial<TestRun> = {}): TestRun {
  return {
    runRef: newRunReference(randomFillSync),
    explicit: { traceDirectory: null, inspection: null, output: null, privateOutput: null },
    project: null,
    ...overrides,
  };
}

/** Runs an application that is at hand. */
export async function runPrepared(
  seams: RunSeams,
  { runRef, explicit, project }: TestRun,
  application: RunnableApplication,
): Promise<RunReport> {
  const { sandbox, clock, publication, signal, onEvaluated, openEnvironments } = seams;
  const source = {
    locate: async () => success({ project, load: async () => success({ application, openEnvironments }) }),
  };
  return performRun(
    { sandbox: async () => sandbox, clock, publication },
    { runRef, trustDomain: 'test', signal, onEvaluated, explicit, source },
  );
}
