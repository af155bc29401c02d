import type {
  EvaluateReply,
  ExportFact,
  GuestOutcome,
  GuestReply,
  GuestRequest,
} from '../../../contract/sandbox-protocol.ts';
import type { Isolate, IsolateOptions, RequestOptions, Sandbox } from '../../../sandbox/pool/interface.ts';
import { inTwoRequests } from '../../../sandbox/pool/testing/two-requests.ts';

/** What the fake answers to each operation; outcomes are as the protocol knows them. */
export interface FakeAnswers {
  readonly compile?: (
    request: Extract<GuestRequest, { operation: 'compile' }>,
    options: RequestOptions,
  ) => GuestOutcome<GuestReply<Extract<GuestRequest, { operation: 'compile' }>>>;
  readonly load?: (options: RequestOptions) => GuestOutcome<GuestReply<Extract<GuestRequest, { operation: 'load' }>>>;
  readonly evaluate?: (
    request: Extract<GuestRequest, { operation: 'evaluate' }>,
    options: RequestOptions,
  ) => GuestOutcome<EvaluateReply> | Promise<GuestOutcome<EvaluateReply>>;
}

export interface FakeSandbox extends Sandbox {
  readonly opened: readonly IsolateOptions[];
  /** Isolates not yet disposed. */
  live(): number;
}

export const ENTRY_EXPORT: ExportFact = {
  ref: 'main/run',
  kind: 'function',
  arities: [1],
  variadic_from: null,
  requirements: [],
  effect: 'unknown',
  visibility: 'prompt',
  doc: null,
};

/** A plain value of JSON text, the way a workflow that just returns gives it. */
export function evaluatesTo(json: string, outcome: 'continued' | 'returned' | 'failed' = 'continued'): FakeAnswers {
  return {
    evaluate: () => ({ status: 'replied', reply: { outcome, value: json, projection_fault: null, prints: [] } }),
  };
}

/** A sandbox that answers from a table, and counts its isolates. */
export function fakeSandbox(answers: FakeAnswers = {}): FakeSandbox {
  const opened: IsolateOptions[] = [];
  let live = 0;
  return {
    opened,
    live: () => live,
    close: async () => {},
    endDomain: async () => {},
    openIsolate: async (options) => {
      opened.push(options);
      live += 1;
      return fakeIsolate(answers, () => {
        live -= 1;
      });
    },
  };
}

function fakeIsolate(answers: FakeAnswers, ended: () => void): Isolate {
  let isDisposed = false;
  const request: Isolate['request'] = async <R extends GuestRequest>(
    request: R,
    options: RequestOptions,
  ): Promise<GuestOutcome<GuestReply<R>>> => {
    if (options.signal?.aborted === true) return { status: 'cancelled' };
    const outcome = await answerOf(answers, request, options);
    if (!isOutcomeOf(request, outcome)) throw new Error('the fake answers another operation');
    return outcome;
  };
  return {
    request,
    loadAndRequest: inTwoRequests(request),
    isUsable: () => !isDisposed,
    dispose: async () => {
      isDisposed = true;
      ended();
    },
  };
}

type AnyOutcome = GuestOutcome<GuestReply<GuestRequest>>;

/** Replies say which operation they belong to by their members alone. */
function isOutcomeOf<R extends GuestRequest>(request: R, outcome: AnyOutcome): outcome is GuestOutcome<GuestReply<R>> {
  if (outcome.status !== 'replied') return true;
  return request.operation === 'evaluate' ? 'outcome' in outcome.reply : 'status' in outcome.reply;
}

async function answerOf(answers: FakeAnswers, request: GuestRequest, options: RequestOptions): Promise<AnyOutcome> {
  switch (request.operation) {
    case 'compile':
      return (
        answers.compile?.(request, options) ?? {
          status: 'replied',
          reply: { status: 'compiled', code: 'bundle', exports: [ENTRY_EXPORT] },
        }
      );
    case 'load':
      return answers.load?.(options) ?? { status: 'replied', reply: { status: 'loaded' } };
    case 'evaluate':
      return (
        (await answers.evaluate?.(request, options)) ?? {
          status: 'replied',
          reply: { outcome: 'continued', value: 'null', projection_fault: null, prints: [] },
        }
      );
    case 'check':
      return { status: 'replied', reply: { status: 'valid' } };
    case 'read':
      return { status: 'replied', reply: { status: 'complete' } };
  }
}
