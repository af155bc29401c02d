import { APPROVAL_SCOPES, type ApprovalAnswer } from '../../../contract/approval.ts';
import { parseJsonText } from '../../../contract/json/parse.ts';
import { documentLimits } from '../../../contract/json/fault.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { checkArguments, maybe, objectWith, wordOf } from '../../platform/arguments/checks.ts';
import { anyText, principalName } from '../../platform/arguments/run-members.ts';
import type { ApprovalAsker } from '../../calls/approvals/desk.ts';
import { RunQuestions, type OpenQuestion } from '../asking/run-questions.ts';
import { serverTimers } from '../room/servers.ts';
import { plainValue } from './evaluation.ts';
import type { Evaluation, EvaluateOptions, PendingApproval } from './types.ts';

const ANSWER = objectWith<ApprovalAnswer>({
  decision: wordOf('allow', 'deny'),
  scope: maybe(wordOf(...APPROVAL_SCOPES)),
  reason: maybe(anyText),
  principal: maybe(principalName),
});

/** The questions of one evaluation whose caller decides them while it waits. */
export interface CallerQuestions {
  readonly asker: ApprovalAsker;
  /** The end, or `waiting` as soon as there are questions that the caller does not know of. */
  readonly next: (end: Promise<Evaluation>) => Promise<Evaluation>;
}

export function callerQuestions({ numbers = 'json' }: Pick<EvaluateOptions, 'numbers'>): CallerQuestions {
  const questions = new RunQuestions({ toolScope: 'session', timers: serverTimers(0) });

  async function next(end: Promise<Evaluation>): Promise<Evaluation> {
    const over = new AbortController();
    const whole = end.finally(() => over.abort());
    for (;;) {
      const first = await Promise.race([whole, questions.asked(over.signal).then(() => null)]);
      if (first !== null || over.signal.aborted) return end;
      const open = questions.reportOpen();
      if (open.length > 0) return waiting(end, open);
    }
  }

  function waiting(end: Promise<Evaluation>, open: readonly OpenQuestion[]): Evaluation {
    let resumed: Promise<Evaluation> | null = null;
    return {
      kind: 'waiting',
      approvals: open.map(({ request }) => pendingOf(request)),
      resume: async () => (resumed ??= next(end)),
    };
  }

  function pendingOf(request: PendingApproval['request']): PendingApproval {
    const { approvalId, tool, arguments: input } = request;
    return {
      approval: approvalId,
      tool,
      arguments: argumentsOf(input, numbers),
      request,
      decide: (answer) => {
        checkArguments('approval.decide', { answer: [answer, ANSWER] });
        return questions.decide(approvalId, { scope: 'once', ...answer, by: 'api' });
      },
    };
  }

  // `store`: a question that its caller knows of is not shown again.
  return {
    next,
    asker: { ask: async (request, signal, run) => questions.ask(request, signal, { route: 'store', run }) },
  };
}

function argumentsOf(text: string, numbers: 'json' | 'exact'): unknown {
  const parsed = parseJsonText(text, documentLimits(Buffer.byteLength(text)));
  return parsed.ok ? plainValue(valueOf(parsed.root), numbers) : text;
}
