import type { ApprovalDecision } from '../../../../contract/approval.ts';
import { openBook, stepBook, type ApprovalBook, type BookEnd, type BookEvent } from '../../../calls/approvals/book.ts';
import type { ApprovalStore, DecisionOutcome } from '../approval-store.ts';
import { createMemoryApprovals } from '../memory-approvals.ts';
import { question, START } from './approval-contract.ts';

/**
 * All interleavings of a run that asks two questions, two parties who decide both, time that is over, a cancellation,
 * one answer of the store that is lost, and a run that dies and is gone on with under the same ids. The book and the
 * store are the real ones; what lies between two of their steps may happen at any later moment.
 */

/** What a store has of a question: nothing, that it is open, that nobody waits for it, or whose decision. */
type StoredState = 'absent' | 'open' | 'expired' | number;

interface ModelQuestion {
  readonly stored: StoredState;
  /** Of the run: it asks, it puts the question, it waits, it has an end, and the store knows of that. */
  readonly phase: 'idle' | 'putting' | 'watching' | 'ended' | 'withdrawn';
  /** What the store answered when the time was over, and the run has not heard yet. */
  readonly settled: { readonly first: StoredState } | null;
  readonly isLate: boolean;
  /** In this attempt. */
  readonly end: BookEnd | null;
  /** What each party learned; `lost`: nothing, whatever was done. */
  readonly outcomes: readonly (DecisionOutcome | 'lost' | null)[];
}

interface ModelState {
  readonly attempt: number;
  readonly isAlive: boolean;
  readonly isCancelled: boolean;
  /** Answers that may still be lost. */
  readonly faults: number;
  readonly book: ApprovalBook;
  readonly questions: readonly ModelQuestion[];
}

/** The real ones, or broken ones that the model has to find. */
export interface ModelledParts {
  readonly step: typeof stepBook;
  readonly store: () => ApprovalStore;
}

export interface ModelledApprovals {
  readonly states: number;
  readonly steps: number;
  /** The longest of the shortest ways to a state. */
  readonly depth: number;
  /** How questions ended, over all ends. */
  readonly ends: ReadonlySet<string>;
}

/** A rule that does not hold, with the way to where it does not. */
export class ModelViolation extends Error {}

const QUESTIONS = [question('1', { argumentsHash: '1' }), question('2', { argumentsHash: '2' })];
const ATTEMPTS = 2;
const REAL: ModelledParts = { step: stepBook, store: () => createMemoryApprovals(() => START) };
const idOf = (index: number): string => QUESTIONS[index]?.approvalId ?? '';

/** Visits every state that can be reached where the parties decide so. */
export async function exploreApprovals(
  decisions: readonly ApprovalDecision[],
  { faults, parts = {} }: { readonly faults: number; readonly parts?: Partial<ModelledParts> },
): Promise<ModelledApprovals> {
  const model = new Model(decisions, { ...REAL, ...parts });
  const first = model.first(faults);
  const ways = new Map([[keyOf(first), '']]);
  const ends = new Set<string>();
  let steps = 0;
  let depth = 0;
  for (let level = [first]; level.length > 0;) {
    const next: ModelState[] = [];
    for (const state of level) {
      const way = ways.get(keyOf(state)) ?? '';
      let leads = false;
      for (const [name, reached] of await model.stepsFrom(state)) {
        steps += 1;
        const broken = violationOf(state, reached, decisions);
        if (broken !== null) throw new ModelViolation(`${broken}, after${way} ${name}`);
        const key = keyOf(reached);
        // Without anybody who ends the run.
        leads ||= key !== keyOf(state) && name !== 'cancel' && name !== 'die';
        if (ways.has(key)) continue;
        ways.set(key, `${way} ${name}`);
        next.push(reached);
      }
      if (leads) continue;
      for (const { end } of state.questions) ends.add(end?.kind ?? 'none');
      const unended = state.questions.find(({ end }) => end === null);
      if (state.isAlive && unended !== undefined) throw new ModelViolation(`a question has no end, after${way}`);
    }
    if (next.length > 0) depth += 1;
    level = next;
  }
  return { states: ways.size, steps, depth, ends };
}

/** What holds of each step (approvals.md §4, §11); null: all of it. */
function violationOf(before: ModelState, after: ModelState, decisions: readonly ApprovalDecision[]): string | null {
  for (const [index, { stored, end, outcomes }] of after.questions.entries()) {
    const was = before.questions[index];
    if (outcomes.filter((outcome) => outcome === 'decided').length > 1)
      return 'two parties were told that they decided';
    if (was !== undefined && typeof was.stored === 'number' && was.stored !== stored)
      return 'a decision that is kept changed';
    if (before.attempt === after.attempt && was?.end !== null && was?.end !== end) return 'a question ended twice';
    const decider = outcomes.indexOf('decided');
    if (decider !== -1 && stored !== decider) return 'a party was told that it decided, and another decision is kept';
    if (end === null || was?.end === end) continue;
    if (end.kind === 'expired' && typeof stored === 'number') return 'a question expired that was decided';
    if (end.kind !== 'decided') continue;
    const { decision, by } = end.decision;
    if (by !== 'remembered' && (typeof stored !== 'number' || decisions[stored]?.decision !== decision))
      return 'the run was told another decision than is kept';
    if (!decisions.some((one) => one.decision === decision)) return 'a decision that nobody made';
  }
  return null;
}

function keyOf(state: ModelState): string {
  return JSON.stringify(state, (_, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...value] : value,
  );
}

type Step = readonly [name: string, reached: ModelState];

class Model {
  readonly #decisions: readonly ApprovalDecision[];
  readonly #parts: ModelledParts;

  constructor(decisions: readonly ApprovalDecision[], parts: ModelledParts) {
    this.#decisions = decisions;
    this.#parts = parts;
  }

  first(faults: number): ModelState {
    const modelQuestion: ModelQuestion = {
      stored: 'absent',
      phase: 'idle',
      settled: null,
      isLate: false,
      end: null,
      outcomes: this.#decisions.map(() => null),
    };
    return {
      attempt: 1,
      isAlive: true,
      isCancelled: false,
      faults,
      book: openBook({ maxAsks: 50, maxOpen: 64 }),
      questions: QUESTIONS.map(() => modelQuestion),
    };
  }

  async stepsFrom(state: ModelState): Promise<readonly Step[]> {
    const steps: Step[] = [];
    for (const index of QUESTIONS.keys()) {
      for (const party of this.#decisions.keys()) steps.push(...(await this.#decide(state, index, party)));
      if (state.isAlive) steps.push(...(await this.#ofTheRun(state, index)));
    }
    if (state.isAlive && !state.isCancelled) steps.push(['cancel', this.#cancel(state)]);
    if (state.isAlive && state.attempt === 1) steps.push(['die', { ...state, isAlive: false }]);
    if (!state.isAlive && state.attempt < ATTEMPTS) steps.push(['resume', this.#resume(state)]);
    return steps;
  }

  /** A party that has seen a question decides it, once. */
  async #decide(state: ModelState, index: number, party: number): Promise<readonly Step[]> {
    const modelQuestion = state.questions[index];
    const decision = this.#decisions[party];
    if (modelQuestion === undefined || decision === undefined) return [];
    if (modelQuestion.stored === 'absent' || modelQuestion.outcomes[party] !== null) return [];
    const { answer, stored } = await this.#inStore(modelQuestion.stored, index, async (store) =>
      store.decide(idOf(index), null, decision),
    );
    const recordOutcome = (outcome: DecisionOutcome | 'lost', faults: number): ModelState => ({
      ...withQuestion(state, index, { stored, outcomes: modelQuestion.outcomes.with(party, outcome) }),
      faults,
    });
    const name = `decide-${index}-by-${party}`;
    const lost: readonly Step[] = state.faults > 0 ? [[`${name}-lost`, recordOutcome('lost', state.faults - 1)]] : [];
    return [[name, recordOutcome(answer, state.faults)], ...lost];
  }

  async #ofTheRun(state: ModelState, index: number): Promise<readonly Step[]> {
    const modelQuestion = state.questions[index];
    if (modelQuestion === undefined) return [];
    const id = idOf(index);
    const steps: Step[] = [];
    switch (modelQuestion.phase) {
      case 'idle': {
        if (state.isCancelled) return [];
        const call = { mission: 'desk', tool: 'tickets.close', argumentsHash: String(index) };
        const called = this.#step(state, { event: 'call', id, call, now: 0 });
        const isAsked = called.questions[index]?.end === null;
        return [[`ask-${index}`, isAsked ? withQuestion(called, index, { phase: 'putting' }) : called]];
      }
      case 'putting': {
        const { stored } = await this.#inStore(modelQuestion.stored, index, async (store) => {
          const [request] = QUESTIONS.slice(index);
          return request === undefined ? null : store.put(request);
        });
        const put = withQuestion(state, index, { stored, phase: modelQuestion.end === null ? 'watching' : 'ended' });
        steps.push([`put-${index}`, put]);
        if (state.faults > 0) {
          const lost = this.#step(
            { ...put, faults: state.faults - 1 },
            { event: 'unavailable', id, how: 'store_unavailable' },
          );
          steps.push([`put-${index}-lost`, lost]);
        }
        return steps;
      }
      case 'watching': {
        if (typeof modelQuestion.stored === 'number')
          steps.push([`see-${index}`, this.#hear(state, index, modelQuestion.stored)]);
        if (modelQuestion.stored === 'expired')
          steps.push([`see-${index}`, this.#step(state, { event: 'expired', id })]);
        if (!modelQuestion.isLate) {
          const { stored } = await this.#expire(modelQuestion.stored, index);
          steps.push([
            `late-${index}`,
            withQuestion(state, index, { stored, isLate: true, settled: { first: stored } }),
          ]);
        }
        if (modelQuestion.settled !== null)
          steps.push([`settled-${index}`, this.#hearSettled(state, index, modelQuestion.settled.first)]);
        return steps;
      }
      case 'ended': {
        const { stored } = await this.#expire(modelQuestion.stored, index);
        const withdrawn = withQuestion(state, index, { stored, phase: 'withdrawn' });
        return [
          [
            `withdraw-${index}`,
            modelQuestion.stored === 'absent' ? withQuestion(state, index, { phase: 'withdrawn' }) : withdrawn,
          ],
        ];
      }
      case 'withdrawn':
        return [];
    }
  }

  #hear(state: ModelState, index: number, party: number): ModelState {
    const decision = this.#decisions[party];
    return decision === undefined ? state : this.#step(state, { event: 'decision', id: idOf(index), decision });
  }

  #hearSettled(state: ModelState, index: number, first: StoredState): ModelState {
    const heard = withQuestion(state, index, { settled: null });
    return typeof first === 'number'
      ? this.#hear(heard, index, first)
      : this.#step(heard, { event: 'expired', id: idOf(index) });
  }

  #cancel(state: ModelState): ModelState {
    const over = QUESTIONS.reduce((so, { approvalId: id }) => this.#step(so, { event: 'gone', id }), {
      ...state,
      isCancelled: true,
    });
    return {
      ...over,
      // What it has not asked yet it never will.
      questions: over.questions.map((modelQuestion) =>
        modelQuestion.phase === 'idle'
          ? { ...modelQuestion, phase: 'withdrawn', end: { kind: 'gone' } }
          : modelQuestion,
      ),
    };
  }

  /** Another process, which asks the same again. */
  #resume(state: ModelState): ModelState {
    return {
      ...state,
      attempt: state.attempt + 1,
      isAlive: true,
      book: openBook(state.book),
      questions: state.questions.map((modelQuestion) =>
        state.isCancelled
          ? modelQuestion
          : { ...modelQuestion, phase: 'idle', settled: null, isLate: false, end: null },
      ),
    };
  }

  #step(state: ModelState, event: BookEvent): ModelState {
    const { book, ended } = this.#parts.step(state.book, event);
    return ended.reduce<ModelState>(
      (so, { id, end }) => {
        const index = QUESTIONS.findIndex(({ approvalId }) => approvalId === id);
        const phase = so.questions[index]?.phase;
        // A question that is being put is withdrawn once it was.
        return withQuestion(so, index, {
          end,
          phase: phase === 'putting' ? phase : phase === 'idle' ? 'withdrawn' : 'ended',
        });
      },
      { ...state, book },
    );
  }

  #expire(storedState: StoredState, index: number): Promise<{ readonly stored: StoredState }> {
    return this.#inStore(storedState, index, async (store) => store.expire(idOf(index)));
  }

  /** Does something to a store that has so much of a question. */
  async #inStore<T>(
    storedState: StoredState,
    index: number,
    act: (store: ApprovalStore) => Promise<T>,
  ): Promise<{ readonly answer: T; readonly stored: StoredState }> {
    const [request] = QUESTIONS.slice(index);
    const store = this.#parts.store();
    if (request === undefined) throw new Error('there are two questions');
    const { approvalId: id } = request;
    if (storedState !== 'absent') await store.put(request);
    if (storedState === 'expired') await store.expire(id);
    const first = typeof storedState === 'number' ? this.#decisions[storedState] : undefined;
    if (first !== undefined) await store.decide(id, null, first);
    const answer = await act(store);
    const left = await store.get(id);
    if (left === null) return { answer, stored: 'absent' };
    const { decision, isExpired } = left;
    if (decision === null) return { answer, stored: isExpired ? 'expired' : 'open' };
    return { answer, stored: this.#decisions.findIndex(({ principal }) => principal === decision.principal) };
  }
}

function withQuestion(state: ModelState, index: number, change: Partial<ModelQuestion>): ModelState {
  return {
    ...state,
    questions: state.questions.map((modelQuestion, at) =>
      at === index ? { ...modelQuestion, ...change } : modelQuestion,
    ),
  };
}
