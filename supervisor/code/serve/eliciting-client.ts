import type { ApprovalDecision, ApprovalRequest } from '../../../contract/approval.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { showsForms } from '../asking/capability.ts';
import { approvalForm, readFormAnswer, UNREADABLE_DENIED, type FormTerms } from '../asking/form.ts';
import type { PeerResponse } from '../../../contract/mcp/message.ts';
import { plainJson } from '../../../contract/mcp/plain-json.ts';
import type { RunTimers } from './pending-runs.ts';

export interface ElicitingOptions {
  readonly send: (text: string) => void;
  readonly timers: RunTimers;
  readonly toolScope: FormTerms['toolScope'];
}

/** A client that does not draw the form in this time never will (approvals.md §6). */
const ANSWER_MS = 45_000;
/** The first revision that has `elicitation/create`; revisions are dates, and compare as texts. */
const FIRST_VERSION = '2025-06-18';

type Answered = { readonly kind: 'result'; readonly result: JsonValue } | { readonly kind: 'silent' | 'gone' };

/** The client of a connection as one that shows a person forms, one at a time. */
export class ElicitingClient {
  readonly #options: ElicitingOptions;
  readonly #open = new Map<string, (answered: Answered) => void>();
  #isDeclared = false;
  #isSilent = false;
  #count = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ElicitingOptions) {
    this.#options = options;
  }

  /** Whether it said that it shows forms, and has shown none in vain. */
  get canBeAsked(): boolean {
    return this.#isDeclared && !this.#isSilent;
  }

  /** What it says of itself when it opens the connection. */
  declare(version: string, params: JsonObject | null): void {
    this.#isDeclared = version >= FIRST_VERSION && showsForms(params?.get('capabilities'));
  }

  receive({ id, result }: PeerResponse): void {
    // Anyone who answers with an error shows no forms either. An answer that comes too late is to no question.
    this.#open.get(String(id))?.(result === undefined ? { kind: 'silent' } : { kind: 'result', result });
  }

  /** The person's decision; `silent`: nobody is asked this way, now or later. Never rejects. */
  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision | 'silent'> {
    const answer = this.#last.then(async () => this.#askInTurn(request, signal));
    this.#last = answer;
    return answer;
  }

  async #askInTurn(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision | 'silent'> {
    const { toolScope } = this.#options;
    for (const isAskedAgain of [false, true]) {
      if (signal.aborted || !this.canBeAsked) return 'silent';
      const answered = await this.#request(approvalForm(request, { toolScope, isAskedAgain }), signal);
      if (answered.kind === 'silent') this.#isSilent = true;
      if (answered.kind !== 'result') return 'silent';
      const decision = readFormAnswer(answered.result, toolScope);
      if (decision !== 'unreadable') return decision;
    }
    return UNREADABLE_DENIED;
  }

  async #request(params: JsonObject, signal: AbortSignal): Promise<Answered> {
    const { send, timers } = this.#options;
    this.#count += 1;
    const id = `approval-${this.#count}`;
    const { promise, resolve } = Promise.withResolvers<Answered>();
    const leave = (): void => resolve({ kind: 'gone' });
    const forget = timers.after(ANSWER_MS, () => resolve({ kind: 'silent' }));
    this.#open.set(id, resolve);
    signal.addEventListener('abort', leave, { once: true });
    const text = canonicalJson(params);
    send(`{"id":"${id}","jsonrpc":"2.0","method":"elicitation/create","params":${text}}`);
    let hasAnswered = false;
    try {
      const answered = await promise;
      hasAnswered = answered.kind === 'result';
      return answered;
    } finally {
      forget();
      this.#open.delete(id);
      signal.removeEventListener('abort', leave);
      if (!hasAnswered)
        send(plainJson({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }));
    }
  }
}
