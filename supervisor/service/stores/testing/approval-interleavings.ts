import type { ApprovalDecision, ApprovalRequest } from '../../../../contract/approval.ts';
import { openBook, stepBook, type ApprovalBook, type BookEnd, type BookEvent } from '../../../calls/approvals/book.ts';
import {
  makeDiskDirectory,
  memoryFileSystem,
  newMemoryDisk,
} from '../../../evidence/publication/testing/memory-file-system.ts';
import type { ReservationTools } from '../../../evidence/publication/reservation.ts';
import type { ApprovalStore, DecisionOutcome } from '../approval-store.ts';
import { fileApprovals } from '../file-approvals.ts';
import { createMemoryApprovals } from '../memory-approvals.ts';
import { storeAsker } from '../store-asker.ts';
import { question, START } from './approval-contract.ts';

/** What became of one question in one interleaving, as each party was answered. */
export interface InterleavedQuestion {
  readonly id: string;
  /** Ends in the book of its run. */
  readonly ends: readonly BookEnd[];
  /** Decisions whose party was answered `decided`. */
  readonly decided: readonly ApprovalDecision[];
  /** Decisions that a party began to make, whatever it was answered. */
  readonly tried: readonly ApprovalDecision[];
  readonly outcomes: readonly DecisionOutcome[];
  readonly sent: number;
}

export interface Interleaving {
  readonly seed: number;
  readonly kind: 'memory' | 'directory';
  readonly questions: readonly InterleavedQuestion[];
  /** Whether the process that asks died. */
  readonly isAskerDead: boolean;
  /** Whether somebody cancelled its run. */
  readonly isCancelled: boolean;
  readonly steps: number;
}

/** Numbers that depend on the seed alone (mulberry32). */
function numbersOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const NEVER_SETTLES = new Promise<never>(() => undefined);
/** Of a hundred parties, those that die at some step, and steps that fail. */
const DEATHS = 20;
const FAULTS_PER_THOUSAND = 4;
const STEPS_UNTIL_DEATH = 120;
/** Between two tries at a store that did not answer. */
const RETRY_STEPS = 20;

/** Anyone who takes steps: a process. */
interface Party {
  /** Before each of its steps; never settles once it is dead. Gives the errno of a step that fails, or null. */
  step(): Promise<string | null>;
  readonly isDead: () => boolean;
}

/** Lets one of all steps that are wanted happen at a time, in an order that the seed gives. */
class Scheduler {
  readonly random: (below: number) => number;
  readonly #ready: (() => void)[] = [];
  steps = 0;

  constructor(seed: number) {
    this.random = numbersOf(seed);
  }

  gate(): Promise<void> {
    return new Promise((resolve) => {
      this.#ready.push(resolve);
    });
  }

  party(mayDie: boolean): Party {
    let left = mayDie && this.random(100) < DEATHS ? this.random(STEPS_UNTIL_DEATH) : Infinity;
    return {
      step: async () => {
        await this.gate();
        left -= 1;
        if (left < 0) return NEVER_SETTLES;
        return this.random(1000) < FAULTS_PER_THOUSAND ? 'EIO' : null;
      },
      isDead: () => left < 0,
    };
  }

  /** Until no step is wanted any more. */
  async run(): Promise<void> {
    for (;;) {
      await new Promise(setImmediate);
      const [next] = this.#ready.splice(this.random(Math.max(1, this.#ready.length)), 1);
      if (next === undefined) return;
      this.steps += 1;
      next();
    }
  }
}

/** A store that answers when the scheduler lets it; what was done may be unknown to who asked. */
function remote(store: ApprovalStore, party: Party): ApprovalStore {
  const through = async <T>(act: () => Promise<T>): Promise<T> => {
    if ((await party.step()) !== null) throw new Error('away');
    const value = await act();
    if ((await party.step()) !== null) throw new Error('away');
    return value;
  };
  return {
    put: (request) => through(() => store.put(request)),
    decide: (id, tenant, decision) => through(() => store.decide(id, tenant, decision)),
    expire: (id) => through(() => store.expire(id)),
    get: (id) => through(() => store.get(id)),
    list: (query) => through(() => store.list(query)),
    watch: (ids, signal) => store.watch(ids, signal),
    remove: (id) => through(() => store.remove(id)),
  };
}

/** The run that asks, as a desk asks for it: a book, an asker over a store, and what was sent. */
class AskingRun {
  readonly ends = new Map<string, BookEnd[]>();
  readonly #asker: ReturnType<typeof storeAsker>;
  readonly #over = new Map<string, AbortController>();
  #book: ApprovalBook = openBook({ maxAsks: 50, maxOpen: 64 });

  constructor(store: ApprovalStore, scheduler: Scheduler) {
    this.#asker = storeAsker(store, () => undefined, {
      // Whether there is news is the scheduler's matter.
      changed: () => scheduler.gate(),
      rest: async () => {
        for (let steps = 0; steps < RETRY_STEPS; steps += 1) await scheduler.gate();
      },
    });
  }

  ask(request: ApprovalRequest): void {
    const { approvalId: id, mission, tool } = request;
    const over = new AbortController();
    this.#over.set(id, over);
    this.#step({ event: 'call', id, call: { mission, tool, argumentsHash: id }, now: 0 });
    void this.#hear(id, this.#asker.ask(request, over.signal));
  }

  async #hear(id: string, requested: ReturnType<ReturnType<typeof storeAsker>['ask']>): Promise<void> {
    const answer = await requested.catch(() => ({ unavailable: 'store_unavailable' }) as const);
    if ('unavailable' in answer) this.#step({ event: 'unavailable', id, how: answer.unavailable });
    else if ('expired' in answer) this.#step({ event: 'expired', id });
    else this.#step({ event: 'decision', id, decision: answer });
  }

  /** As the desk does when the time of a question is over. */
  async expire(request: ApprovalRequest): Promise<void> {
    const { approvalId: id } = request;
    const first = (await this.#asker.settle?.(request).catch(() => null)) ?? null;
    this.#step(first === null ? { event: 'expired', id } : { event: 'decision', id, decision: first });
  }

  cancel(): void {
    for (const id of this.#over.keys()) this.#step({ event: 'gone', id });
  }

  #step(event: BookEvent): void {
    const { book, ended } = stepBook(this.#book, event);
    this.#book = book;
    for (const { id, end } of ended) {
      this.ends.set(id, [...(this.ends.get(id) ?? []), end]);
      this.#over.get(id)?.abort('over');
    }
  }
}

/** One interleaving of questions, decisions by several parties, expiry, cancellation, deaths and faults. */
export async function playInterleaving(seed: number, kind: Interleaving['kind']): Promise<Interleaving> {
  const scheduler = new Scheduler(seed);
  const { random } = scheduler;
  const shared = createMemoryApprovals(() => START);
  const disk = newMemoryDisk();
  makeDiskDirectory(disk, 'store');
  const open = (party: Party): ApprovalStore => {
    if (kind === 'memory') return remote(shared, party);
    const tools: ReservationTools = {
      fileSystem: memoryFileSystem(disk, () => party.step()),
      owners: {
        self: async () => ({ boot: 'b', namespace: 'n', pid: 1, started: '1' }),
        isAlive: async () => 'alive',
      },
      wallClock: () => START,
    };
    return fileApprovals(tools, '/store', { now: () => START });
  };
  const asker = scheduler.party(true);
  const run = new AskingRun(open(asker), scheduler);
  const requests = Array.from({ length: 1 + random(2) }, (_, index) => question(String(index + 1)));
  const decided = new Map<string, ApprovalDecision[]>();
  const tried = new Map<string, ApprovalDecision[]>();
  const outcomes = new Map<string, DecisionOutcome[]>();
  const note = <T>(map: Map<string, T[]>, id: string, value: T): unknown =>
    map.set(id, [...(map.get(id) ?? []), value]);

  async function decide(store: ApprovalStore, id: string, decision: ApprovalDecision): Promise<void> {
    // Somebody decides what he has seen.
    for (let look = 0; look < 40; look += 1) {
      await scheduler.gate();
      if ((await store.get(id).catch(() => null)) !== null) break;
    }
    note(tried, id, decision);
    const outcome = await store.decide(id, null, decision).catch(() => null);
    if (outcome === null) return;
    note(outcomes, id, outcome);
    if (outcome === 'decided') note(decided, id, decision);
  }

  for (const request of requests) run.ask(request);
  const deciders = 1 + random(3);
  for (let index = 0; index < deciders; index += 1) {
    const store = open(scheduler.party(true));
    for (const { approvalId } of requests) {
      const word = random(2) === 0 ? 'allow' : 'deny';
      const decision: ApprovalDecision = { decision: word, scope: 'once', by: 'api', principal: `p${index}` };
      void decide(store, approvalId, decision);
    }
  }
  const isCancelled = random(6) === 0;
  const late = async (act: () => unknown): Promise<void> => {
    for (let steps = random(kind === 'memory' ? 20 : 400); steps > 0; steps -= 1) await scheduler.gate();
    if (!asker.isDead()) act();
  };
  for (const request of requests) void late(() => run.expire(request));
  if (isCancelled) void late(() => run.cancel());
  await scheduler.run();
  return {
    seed,
    kind,
    isAskerDead: asker.isDead(),
    isCancelled,
    steps: scheduler.steps,
    questions: requests.map(({ approvalId: id }) => {
      const ends = run.ends.get(id) ?? [];
      return {
        id,
        ends,
        decided: decided.get(id) ?? [],
        tried: tried.get(id) ?? [],
        outcomes: outcomes.get(id) ?? [],
        sent: ends.filter((end) => end.kind === 'decided' && end.decision.decision === 'allow').length,
      };
    }),
  };
}

/** What is wrong with an interleaving, in words; null: nothing is (approvals.md §4, §11). */
export function findBreach({ questions, isAskerDead, isCancelled }: Interleaving): string | null {
  for (const { id, ends, decided, tried, sent } of questions) {
    const [end] = ends;
    if (ends.length > 1) return `${id} ended twice`;
    if (decided.length > 1) return `${id} was decided twice`;
    if (end === undefined && !isAskerDead) return `${id} never ended`;
    const [approvalDecision] = decided;
    if (end?.kind === 'decided') {
      const { decision, principal } = end.decision;
      if (!tried.some((one) => one.decision === decision && one.principal === principal))
        return `${id} ended with a decision that nobody made`;
      if (approvalDecision !== undefined && approvalDecision.principal !== principal)
        return `${id}: both sides were told another decision`;
    }
    if (sent > 0 && !tried.some(({ decision }) => decision === 'allow')) return `${id} was sent without a yes`;
    // Where a store, or who asks, was lost, a decision may come to nothing; it never comes to anything else.
    if (approvalDecision !== undefined && end?.kind === 'expired' && !isCancelled && !isAskerDead)
      return `${id} expired, and somebody was told that it was decided`;
  }
  return null;
}
