import type { CallAnswer, CallRequest, CallSide, ServedCall } from '../../contract/provider-protocol/call.ts';
import type { ProviderReason } from '../../contract/provider-protocol/outcome.ts';
import type { ProviderSession } from '../../contract/provider-protocol/session.ts';
import type { CallAdmission, CallPlace } from './source/call-admission.ts';

/**
 * The same session, each of whose calls takes a place of the process before it is served (providers.md §14). A call
 * that gets none was not sent. Its place is held until its end is proved: by its answer, or by a kill that came to its
 * end.
 */
export function admittedSession(
  session: ProviderSession,
  admission: CallAdmission | null,
  lane: string,
): ProviderSession {
  if (admission === null) return session;
  const { share } = session;
  return {
    ...session,
    serve: (request, side) => serveAdmitted(session, admission, lane, { request, side }),
    share: share === null ? null : (run) => admittedSession(share(run), admission, lane),
  };
}

interface AdmittedRequest {
  readonly request: CallRequest;
  readonly side: CallSide;
}

function serveAdmitted(
  session: ProviderSession,
  admission: CallAdmission,
  lane: string,
  { request, side }: AdmittedRequest,
): ServedCall {
  const waiting = new AbortController();
  let serving: { readonly call: ServedCall; readonly place: CallPlace } | null = null;

  const answer = async (): Promise<CallAnswer> => {
    const entered = await admission.enter(lane, waiting.signal);
    if (entered.outcome !== 'entered') return refused(entered.outcome);
    const call = session.serve(request, side);
    serving = { call, place: entered };
    const answered = await call.answer;
    entered.leave();
    return answered;
  };
  const served = answer();
  return {
    answer: served,
    cancel: () => {
      waiting.abort();
      serving?.call.cancel();
    },
    kill: async () => {
      waiting.abort();
      if (serving === null) {
        await served.catch(() => undefined);
        return;
      }
      const { call, place } = serving;
      try {
        await call.kill();
        place.leave();
      } catch (error) {
        place.lose();
        throw error;
      }
    },
  };
}

const REASONS = {
  capacity_exhausted: { reason: 'capacity_exhausted', retryable: true },
  admission_unavailable: { reason: 'admission_unavailable', retryable: false },
  // Nobody waits for this answer any more.
  gone: { reason: 'unavailable', retryable: false },
} as const satisfies Readonly<Record<string, { readonly reason: ProviderReason; readonly retryable: boolean }>>;

function refused(outcome: keyof typeof REASONS): CallAnswer {
  const { reason, retryable } = REASONS[outcome];
  return {
    outcome: {
      kind: 'error',
      reason,
      details: null,
      retryable,
      proof: 'not_dispatched',
      isProtocolFault: false,
      usage: null,
      replayMiss: null,
    },
    exchanges: [],
  };
}
