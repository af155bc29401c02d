import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { approvalForm, type FormTerms } from './form.ts';
import type { Round } from './round-state.ts';
import type { OpenQuestion } from './run-questions.ts';

/** Questions of one round (approvals.md §6). */
export const ROUND_MAX = 16;

/** Those that one round asks, and when the first of them expires. */
export function nextRound(
  run: string,
  open: readonly OpenQuestion[],
): Round & { readonly questions: readonly OpenQuestion[] } {
  const openQuestions = open.slice(0, ROUND_MAX);
  return {
    run,
    questions: openQuestions,
    ids: openQuestions.map(({ request }) => request.approvalId),
    expiresAt: Math.min(...openQuestions.map(({ request }) => Date.parse(request.expiresAt))),
  };
}

/** The members of a result that asks the client before it can be complete. */
export function inputRequired(
  openQuestions: readonly OpenQuestion[],
  requestState: string,
  toolScope: FormTerms['toolScope'],
): JsonObject {
  const requests = openQuestions.map(({ request, isAskedAgain }): [string, JsonValue] => [
    request.approvalId,
    new Map<string, JsonValue>([
      ['method', 'elicitation/create'],
      ['params', approvalForm(request, { toolScope, isAskedAgain })],
    ]),
  ]);
  return new Map<string, JsonValue>([
    ['inputRequests', new Map(requests)],
    ['requestState', requestState],
    ['resultType', 'input_required'],
  ]);
}

/** What a call gives of an earlier round; null: it is the first one; `unreadable`: not in the form of the protocol. */
export type EarlierRound = { readonly state: string; readonly answers: JsonObject } | 'unreadable' | null;

export function readEarlierRound(params: JsonObject | null): EarlierRound {
  const [state, answers = new Map<string, JsonValue>()] = [params?.get('requestState'), params?.get('inputResponses')];
  if (!isJsonObject(answers) || (state !== undefined && typeof state !== 'string')) return 'unreadable';
  // Answers to nothing that was asked are as unknown keys.
  return state === undefined ? null : { state, answers };
}
