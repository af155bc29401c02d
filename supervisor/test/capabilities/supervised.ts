import { join } from 'node:path';
import { unclassifiedRunFailure } from '../../../contract/envelope/build.ts';
import { envelopeText } from '../../../contract/envelope/text.ts';
import { exitStatusOf } from '../../../contract/exit-status.ts';
import {
  PreparationError,
  createSupervisor,
  createRunRef,
  type ApplicationReference,
  type RunFinished,
  type RunRequest,
  type RunResult,
  type Supervisor,
  type SupervisorOptions,
} from '../../api/supervisor.ts';

/** A supervisor over the built program. */
export function supervise(options: SupervisorOptions = {}): Promise<Supervisor> {
  return createSupervisor({
    programDirectory: join(import.meta.dirname, '../../../dist'),
    isolatesPerHost: 8,
    ...options,
  });
}

/**
 * Prepares an application and runs it: what its documents are refused for is told as a run of the command would have.
 */
export async function runOnce(
  supervisor: Supervisor,
  reference: ApplicationReference,
  request: RunRequest = {},
): Promise<RunFinished<unknown>> {
  try {
    return finished(await supervisor.run(await supervisor.prepare(reference), request).result);
  } catch (error) {
    if (!(error instanceof PreparationError) || error.diagnostic === null) throw error;
    return refusedRun(error.diagnostic);
  }
}

/** What ran. Throws for what was turned away. */
export function finished(end: RunResult): RunFinished<unknown> {
  if (end.kind === 'finished') return end;
  if (end.diagnostic !== null) return refusedRun(end.diagnostic);
  throw new Error(`refused: ${end.code}`);
}

function refusedRun(error: NonNullable<PreparationError['diagnostic']>): RunFinished<unknown> {
  const runRef = createRunRef();
  const envelope = unclassifiedRunFailure({
    runReference: runRef,
    error,
    artifactState: { trace: 'not_requested', inspection: 'not_requested', result: 'not_requested' },
    warnings: [],
  });
  return {
    kind: 'finished',
    runRef,
    envelope,
    envelopeText: envelopeText(envelope),
    valueText: null,
    artifacts: [],
    effects: 'none',
    retry: 'after_fix',
    cancelled: false,
    attempt: 1,
    unexpected: null,
    exitStatus: exitStatusOf({ outcome: 'failed', error, stop: null }),
  };
}
