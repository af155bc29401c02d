import { expect } from 'chai';
import fc from 'fast-check';
import { APPROVAL_LIMITS, type ApprovalRequest } from '../../../contract/approval.ts';
import { systemClock } from '../../../system/clock.ts';
import type { BookEnd } from '../../calls/approvals/book.ts';
import { openDesk } from '../../calls/approvals/desk.ts';
import { openRunClock } from '../../platform/run-clock/run-clock.ts';
import { question } from '../../service/stores/testing/approval-contract.ts';
import { fakeGateway, type FakeAnswer } from '../testing/fake-gateway.ts';
import type { JoinableRun } from '../tools/call-services.ts';
import { WaitingRuns } from './waiting-runs.ts';

const NEVER = new AbortController().signal;
const ANSWERS = {
  allow: { action: 'accept', content: { decision: 'allow once' } },
  deny: { action: 'accept', content: { decision: 'deny' } },
  decline: { action: 'decline' },
  cancel: { action: 'cancel' },
  garbage: { action: 'accept', content: { decision: 'perhaps' } },
} as const;
type Answer = keyof typeof ANSWERS;

/** What one client does next. */
interface Move {
  /** Which of the rounds that it has seen it answers, the newest first. */
  readonly round: number;
  readonly answers: readonly (Answer | null)[];
  /** How often the same is sent at once. */
  readonly times: number;
  readonly fault: 'none' | 'principal' | 'arguments' | 'state';
}

const move: fc.Arbitrary<Move> = fc.record({
  round: fc.nat(4),
  answers: fc.array(fc.option(fc.constantFrom(...(['allow', 'deny', 'decline', 'cancel', 'garbage'] as const))), {
    maxLength: 4,
  }),
  times: fc.integer({ min: 1, max: 3 }),
  fault: fc.oneof(
    { weight: 3, arbitrary: fc.constant('none' as const) },
    { weight: 1, arbitrary: fc.constantFrom('principal' as const, 'arguments' as const, 'state' as const) },
  ),
});

/** What the answers that came so far mean for a question; null: it is open still. */
function meaningOf(input: readonly Answer[]): 'allow' | 'deny' | null {
  const first = input.find((answer) => answer !== 'garbage');
  const garbage = input.filter((answer) => answer === 'garbage').length;
  const before = first === undefined ? garbage : input.indexOf(first);
  if (before > 1) return 'deny';
  return first === undefined ? null : first === 'allow' ? 'allow' : 'deny';
}

describe('clients that come back to a run in any way (approvals.md §6, 40 to 42, 64)', () => {
  it('decide each question once, by the first answer of its owner', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
        fc.array(move, { maxLength: 12 }),
        async (groups, moves) => {
          const { ends, answers } = await play(groups, moves);
          expect(ends.size).to.equal(groups.reduce((sum, count) => sum + count, 0));
          for (const [id, end] of ends) {
            expect(end.kind).to.equal('decided');
            if (end.kind === 'decided') expect(end.decision).to.include({ by: 'elicitation' });
            const decision = end.kind === 'decided' ? end.decision.decision : null;
            expect(decision, `${id} after ${answers.get(id)?.join(', ')}`).to.equal(meaningOf(answers.get(id) ?? []));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** One run that asks groups of questions together, one group after the other, and its clients. */
async function play(
  groups: readonly number[],
  moves: readonly Move[],
): Promise<{ readonly ends: ReadonlyMap<string, BookEnd>; readonly answers: ReadonlyMap<string, readonly Answer[]> }> {
  const waiting = new WaitingRuns<JoinableRun>(256);
  const ends = new Map<string, BookEnd>();
  const answersById = new Map<string, Answer[]>();
  let requested = 0;
  const { call } = fakeGateway(waiting, async ({ runRef = '', asker }) => {
    const desk = openDesk({
      limits: APPROVAL_LIMITS,
      run: { runRef, application: null, tenant: null, principal: null, isPrivate: false },
      clock: openRunClock(),
      machine: systemClock,
      runDeadlineAt: Infinity,
      callerDeadlineAt: Infinity,
      asker: asker ?? null,
      place: null,
      allowsAll: false,
    });
    const ask = async (request: ApprovalRequest): Promise<void> => {
      const { end } = await desk.ask(request, NEVER);
      expect(ends.has(request.approvalId)).to.equal(false);
      ends.set(request.approvalId, end);
    };
    for (const count of groups) {
      const requests = Array.from({ length: count }, () => {
        requested += 1;
        return desk.request(question('0', { argumentsHash: String(requested) }));
      });
      await Promise.all(requests.map(ask));
    }
  });
  const seen: FakeAnswer[] = [];
  const see = (answer: FakeAnswer): void => {
    if (answer.resultType === 'input_required') seen.push(answer);
  };
  const answer = async ({ round, answers, times, fault }: Move): Promise<boolean> => {
    const at = seen.at(-1 - (round % seen.length));
    if (at?.requestState === undefined) throw new Error('it was asked something');
    const said = at.ids.flatMap((id, index): (readonly [string, Answer])[] => {
      const one = answers[index] ?? null;
      return one === null ? [] : [[id, one]];
    });
    const request = {
      requestState: fault === 'state' ? otherText(at.requestState) : at.requestState,
      inputResponses: Object.fromEntries(said.map(([id, one]) => [id, ANSWERS[one]])),
      ...(fault === 'principal' ? { principal: 'other' } : {}),
      ...(fault === 'arguments' ? { arguments: { id: 2 } } : {}),
    };
    const isRefused = fault !== 'none';
    if (!isRefused)
      for (let time = 0; time < times; time += 1) for (const [id, one] of said) note(answersById, id, one);
    const got = await Promise.all(Array.from({ length: times }, () => call(request)));
    for (const each of got) {
      see(each);
      if (isRefused) expect(each).to.include({ status: 200, reason: 'state_invalid' });
      else expect(each.resultType).to.be.oneOf(['input_required', 'complete']);
    }
    return got.some(({ resultType }) => resultType === 'complete');
  };
  see(await call());
  let isOver = false;
  for (const next of moves) if (!isOver) isOver = await answer(next);
  // In the end somebody answers all that is open.
  while (!isOver) isOver = await answer({ round: 0, answers: Array(4).fill('allow'), times: 1, fault: 'none' });
  expect(waiting.count).to.equal(0);
  return { ends, answers: answersById };
}

function otherText(text: string): string {
  return `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
}

function note(answers: Map<string, Answer[]>, id: string, answer: Answer): void {
  answers.set(id, [...(answers.get(id) ?? []), answer]);
}
