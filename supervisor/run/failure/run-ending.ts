import { diagnostic, fixedSource, providerSubject, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { EvaluationError } from '../../../contract/envelope/execution.ts';
import {
  capabilityQuotaMessage,
  replayFixtureMissingMessage,
} from '../../../contract/diagnostics/messages/execution.ts';
import type { IssuedRefusal, RunEnding } from '../../calls/broker/run-ending.ts';
import { reportedFailure } from './authenticated-failure.ts';
import type { RunOutcome } from '../run-outcome.ts';
import type { WorkflowFailure } from './workflow-failure.ts';

const RUNTIME = fixedSource('runtime');

/**
 * What the failure of a workflow with an envelope of this very run means (runtime.md §7), of a lost provider too
 * (providers.md §3). Private runs drop the facts of the message later.
 */
export function promoted(refusal: IssuedRefusal): Diagnostic {
  switch (refusal.kind) {
    case 'quota': {
      const { limit, name, value } = refusal;
      return diagnostic('capability_quota_exceeded', {
        source: RUNTIME,
        message: capabilityQuotaMessage({ limit, value, by: { capability: name } }),
      });
    }
    case 'alias_quota': {
      const { alias, value } = refusal;
      return diagnostic('capability_quota_exceeded', {
        source: RUNTIME,
        message: capabilityQuotaMessage({ limit: 'max_calls', value, by: { alias } }),
      });
    }
    case 'budget':
      return diagnostic('runtime_limit_exceeded', { source: RUNTIME });
    case 'provider_lost': {
      const { alias, destination, index } = refusal;
      return diagnostic('provider_failed', { subject: providerSubject(alias, 'execution', { destination, index }) });
    }
    case 'replay_miss':
      return refusal.requestHash === null
        ? diagnostic('replay_fixture_missing')
        : diagnostic('replay_fixture_missing', {
            source: RUNTIME,
            message: replayFixtureMissingMessage(refusal.requestHash),
          });
  }
}

/** A run that was ended from inside, whatever its workflow made of it: the first reason counts (runtime.md §10). */
export function endedRun(
  ending: RunEnding,
  known: { readonly inspectionFailure: Diagnostic | null; readonly lastEvaluationError: EvaluationError | null },
): RunOutcome {
  switch (ending.kind) {
    case 'protocol_errors':
      return {
        kind: 'failed',
        ...returned(diagnostic('runtime_limit_exceeded', { source: RUNTIME })),
        stopped: { limit: 'protocol_errors', limit_value: ending.limit },
      };
    case 'event_sink':
      return { kind: 'failed', ...killed(diagnostic('event_capture_limit_exceeded')) };
    case 'inspection_sink':
      return { kind: 'failed', ...killed(known.inspectionFailure ?? diagnostic('inspection_sink_unavailable')) };
    case 'authenticated': {
      const { error, stopped, showsLastError } = reportedFailure(ending.failure);
      if (error.phase !== 'execution') return { kind: 'refused', error, stopped };
      const lastEvaluationError = showsLastError ? known.lastEvaluationError : null;
      return { kind: 'failed', ...returned(error), lastEvaluationError, stopped };
    }
  }
}

function returned(error: Diagnostic): WorkflowFailure {
  return { error, hasReturned: true, lastEvaluationError: null, failureKind: {}, limit: null };
}

function killed(error: Diagnostic): WorkflowFailure {
  return { ...returned(error), hasReturned: false };
}
