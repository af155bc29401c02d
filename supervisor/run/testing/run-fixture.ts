import { randomFillSync } from 'node:crypto';
import { success } from '../../../contract/outcome.ts';
import { effectiveLimits } from '../../../contract/limits/effective.ts';
import type { WrittenLimits } from '../../../contract/limits/effective.ts';
import { newRunReference } from '../../../contract/run-reference.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import type { Clock } from '../../evidence/clock.ts';
import type { PublicationFileSystem } from '../../publication/file-system.ts';
import { nodeFileSystem } from '../../publication/node-file-system.ts';
import { processOwnerProbe } from '../../publication/owner.ts';
import type { RunnableApplication } from '../application.ts';
import { bareEnvironments } from './bare-environments.ts';
import { ENTRY_EXPORT } from './fake-sandbox.ts';
import type { RunRequest, RunTools } from '../run-tools.ts';

/** A clock that moves only when told. */
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

export function plainApplication(overrides: Partial<RunnableApplication> = {}, requested: WrittenLimits = {}): RunnableApplication {
  const limits = effectiveLimits(requested, {});
  if (!limits.ok) throw new Error('the limits of this test are refused');
  return {
    workflow: { components: [{ id: 'main', dependencies: [], source: '(ns main)' }], bundleHash: 'a'.repeat(64), code: 'bundle', exports: [ENTRY_EXPORT] },
    entryForm: '(main/run data/input)',
    missions: new Map(),
    modelAliases: [],
    input: '{"name":"world"}',
    resultContract: null,
    limits: limits.values,
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

export function runTools({ sandbox, clock = manualClock(), fileSystem = nodeFileSystem(), signal = new AbortController().signal }: FixtureOptions): RunTools {
  return {
    sandbox,
    clock,
    signal,
    publication: { fileSystem, owners: processOwnerProbe(), wallClock: Date.now },
    onEvaluated: () => undefined,
    openEnvironments: async (application, context) => success(bareEnvironments(application, context)),
  };
}

export function runRequest(overrides: Partial<RunRequest> = {}): RunRequest {
  return {
    runRef: newRunReference(randomFillSync),
    explicit: { traceDirectory: null, inspection: null, output: null, privateOutput: null },
    project: null,
    trustDomain: 'test',
    ...overrides,
  };
}
