import { createHash } from 'node:crypto';
import { effectiveLimits, type DecidedLimits } from '../../contract/limits/effective.ts';
import { success } from '../../contract/outcome.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { NO_JOURNAL } from '../evidence/publication/journal/journal.ts';
import type { RunnableApplication } from '../run/application.ts';
import { bareEnvironments } from '../run/bare-environments.ts';
import { openRun } from '../run/open-run.ts';
import type { Run } from '../run/run.ts';
import type { EvaluationTools, LoadedRun } from '../run/run-request.ts';
import type { SessionLimits } from './limits.ts';

/**
 * Opens the run of a session with the core language alone: an empty workflow, which is granted nothing and leaves
 * nothing (cli.md §11, "scratch").
 */
export async function openScratchRun(
  tools: EvaluationTools,
  runRef: RunReference,
  limits: SessionLimits,
): Promise<Run> {
  const loaded = emptyWorkflow(limits);
  const runId = scratchRunId(runRef);
  return openBareRun(tools, runRef, {
    ...loaded,
    application: { ...loaded.application, eventIdentity: { runId, traceId: runId } },
  });
}

const SCRATCH_ID_DIGITS = 12;

/** The name of a scratch session in its trace (evidence.md §2): of no command, and as unique as it. */
function scratchRunId(runRef: RunReference): string {
  return `run-${createHash('sha256').update(runRef).digest('hex').slice(0, SCRATCH_ID_DIGITS)}`;
}

/** Opens a run that is granted nothing and leaves nothing. */
export async function openBareRun(tools: EvaluationTools, runRef: RunReference, loaded: LoadedRun): Promise<Run> {
  const opened = await openRun(tools, {
    runRef,
    // Isolates of one session share a process with no other's.
    trustDomain: runRef,
    // A form is given up by itself, and a session closed by anyone who holds it.
    signal: new AbortController().signal,
    loaded,
    reservations: { trace: null, inspection: null },
    journal: NO_JOURNAL,
  });
  if (!opened.ok) throw new Error('a run that asks for nothing is refused nothing');
  return opened.value;
}

function emptyWorkflow({ durationMs, heapWords }: SessionLimits): LoadedRun {
  const limits = effectiveLimits({ run_duration_ms: durationMs, workflow_heap_words: heapWords }, {});
  if (!limits.ok) throw new Error('a session asks for no more than is installed');
  return {
    application: bareApplication(limits),
    openEnvironments: async (context) => success(bareEnvironments(context)),
  };
}

/** A workflow of nothing within these limits. */
export function bareApplication(limits: DecidedLimits): RunnableApplication {
  return {
    workflow: { components: [], bundleHash: null, code: null, exports: [] },
    entry: '',
    missions: new Map(),
    modelAliases: [],
    warnings: [],
    input: '{}',
    resultContract: null,
    limits: limits.values,
    decidedLimits: limits,
    artifactClass: 'normal',
    eventIdentity: { runId: null, traceId: null },
    labels: {},
    override: null,
  };
}
