import { worstEffect } from '../../../contract/effect.ts';
import type { CapabilityCall } from '../../../contract/sandbox-protocol.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { CallLocations } from './call-location.ts';
import type { CallerRecord, EvaluationCaller } from './call-run.ts';
import type { CallScope, CallingEvaluation, ScopeRecord } from './call-scope.ts';
import { replyText, type CallAnswer } from './envelope.ts';

/** Why what was started is over. Without a reason node makes an error with its stack for each. */
export const CLOSED = 'closed';

/** The scopes of a run that have not ended. */
export class OpenScopes {
  readonly #open: (evaluation: CallingEvaluation, key: string) => CallScope;
  readonly #scopes = new Set<CallScope>();
  #opened = 0;

  /** `open`: makes one with its name in the ledger. */
  constructor(open: (evaluation: CallingEvaluation, key: string) => CallScope) {
    this.#open = open;
  }

  open(evaluation: CallingEvaluation): CallScope {
    this.#opened += 1;
    const scope = this.#open(evaluation, `${evaluation.evaluationId}#${this.#opened}`);
    this.#scopes.add(scope);
    return {
      ...scope,
      end: async () => {
        const record = await scope.end();
        this.#scopes.delete(scope);
        return record;
      },
    };
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#scopes].map((scope) => scope.end()));
  }
}

/** The outermost of the branches that a call is in, from 1. */
function outermost(path = '', sizes = ''): EvaluationCaller['branch'] {
  const index = Number.parseInt(path, 10);
  const of = Number.parseInt(sizes, 10);
  return Number.isNaN(index) || Number.isNaN(of) ? null : { index: index + 1, of };
}

export interface ScopeFacts {
  readonly evaluation: CallingEvaluation;
  /** Its name in the ledger. */
  readonly key: string;
  readonly runSignal: AbortSignal;
  readonly tools: readonly string[];
  readonly argumentNames: CallScope['argumentNames'];
  readonly answer: (caller: EvaluationCaller, call: CapabilityCall) => Promise<CallAnswer>;
  readonly ledger: Ledger;
}

export function openScope({
  evaluation,
  key,
  runSignal,
  tools,
  argumentNames: namesOf,
  answer,
  ledger,
}: ScopeFacts): CallScope {
  const controller = new AbortController();
  const runIsOver = (): void => controller.abort(CLOSED);
  runSignal.addEventListener('abort', runIsOver);
  if (runSignal.aborted) runIsOver();
  const record: CallerRecord = { effects: new Set(), terminalProviderFailure: null, terminalHostFailure: null };
  const callers = new Map<string, EvaluationCaller>();
  const inFlight = new Set<Promise<unknown>>();
  const locations = new CallLocations();
  let last: CallAnswer | null = null;
  let ended: Promise<ScopeRecord> | null = null;

  /** Each branch holds one reservation of its own at a time. */
  function callerOf({ branch, branchOf }: Pick<CapabilityCall, 'branch' | 'branchOf'>): EvaluationCaller {
    const name = branch === undefined ? key : `${key}/${branch}`;
    const known = callers.get(name);
    if (known !== undefined) return known;
    const caller: EvaluationCaller = {
      evaluation,
      key: name,
      signal: controller.signal,
      branch: outermost(branch, branchOf),
      locate: async () => null,
      record,
    };
    callers.set(name, caller);
    if (ended === null) ledger.openCaller(name);
    return caller;
  }

  const end = async (): Promise<ScopeRecord> => {
    for (const name of callers.keys()) ledger.closeCaller(name);
    controller.abort(CLOSED);
    runSignal.removeEventListener('abort', runIsOver);
    await Promise.allSettled(inFlight);
    return {
      reached: worstEffect(record.effects),
      lastEnvelope: last?.kind === 'ok' || last?.kind === 'error' ? Object.fromEntries(last.envelope.value) : null,
      terminalProviderFailure: record.terminalProviderFailure,
      terminalHostFailure: record.terminalHostFailure,
    };
  };

  callerOf({});
  return {
    tools,
    argumentNames: namesOf,
    branches: { take: (wanted) => ledger.takeBranches(wanted), release: (count) => ledger.releaseBranches(count) },
    call: async (call) => {
      const caller = callerOf(call);
      // The call of a branch is over when the branch is, which may be long before its evaluation (runtime.md §8).
      const isOfBranch = call.branch !== undefined && call.ended !== undefined;
      const signal = isOfBranch ? AbortSignal.any([caller.signal, call.ended]) : caller.signal;
      const origin = { program: isOfBranch ? (evaluation.program ?? null) : null, ended: signal };
      const first = await locations.answer(caller.key, call, origin, (locate) => {
        const answering = answer({ ...caller, signal, locate }, call);
        inFlight.add(answering);
        return answering.finally(() => inFlight.delete(answering));
      });
      if ('question' in first) return first.question;
      // What a branch was given last is not what its caller holds.
      last = call.branch === undefined ? first.answer : null;
      return replyText(first.answer);
    },
    end: () => {
      ended ??= end();
      return ended;
    },
  };
}
