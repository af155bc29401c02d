import type { ApprovalAsker } from '../../calls/approvals/desk.ts';
import type { ApprovalRequest } from '../../../contract/approval.ts';
import type { AskElsewhere, RunQuestions } from '../asking/run-questions.ts';
import type { ElicitingClient } from './eliciting-client.ts';

/** Where questions wait that no client asks: `onKept` is called once another command finds the question there. */
export type WaitingAsker = (onStored: (request: ApprovalRequest) => void) => ApprovalAsker;

export interface AskingServices {
  /** Null: the connection has none, so that no request can go to it. */
  readonly client: Pick<ElicitingClient, 'canBeAsked' | 'ask'> | null;
  /** Null: there is no other command. */
  readonly waiting: WaitingAsker | null;
  /** Called with the questions of a run that begins. */
  readonly onQuestions?: (questions: RunQuestions) => void;
  /** Whether as many runs wait for a person as may; absent: never. */
  readonly isFull?: () => boolean;
  /** Called with a tool that nobody can be asked about. */
  readonly onUnasked?: (tool: string) => void;
}

/** Who asks about the calls of one run, by how its caller can be asked (approvals.md §6). */
export function askerOf(
  questions: RunQuestions,
  /** Whether the answer to a call may ask. */
  canAnswerAsk: boolean,
  { client, waiting, onQuestions, isFull, onUnasked }: AskingServices,
): ApprovalAsker {
  const later: ApprovalAsker['ask'] = async (request, signal) => {
    if (waiting !== null) return waiting(() => turns.get(request.approvalId)?.()).ask(request, signal);
    onUnasked?.(request.tool);
    return { unavailable: 'client_without_elicitation' };
  };
  onQuestions?.(questions);
  const turns = new Map<string, () => void>();
  return {
    ask: async (request, signal, run) => {
      if (questions.open.length === 0 && isFull?.() === true) return { unavailable: 'too_many' };
      if (canAnswerAsk) return questions.ask(request, signal, { route: 'result', run });
      // There is nobody to ask, so no question opens.
      if (client === null && waiting === null) return later(request, signal);
      const elsewhere: AskElsewhere = async (request, over, turn) => {
        turns.set(request.approvalId, () => turn('store'));
        try {
          const decision = client?.canBeAsked === true ? await client.ask(request, over) : 'silent';
          return decision === 'silent' ? await later(request, over) : decision;
        } finally {
          turns.delete(request.approvalId);
        }
      };
      return questions.ask(request, signal, { route: 'client', run, elsewhere });
    },
  };
}
