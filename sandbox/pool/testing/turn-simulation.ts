import {
  hasCandidate,
  openTurns,
  stepTurns,
  type TurnAction,
  type TurnBounds,
  type TurnEvent,
  type TurnState,
  type Work,
} from '../turn-machine.ts';

/**
 * What a program does, over and over: computes, asks something that the supervisor answers at once, waits for something
 * else.
 */
export type Phase = { readonly compute: number } | { readonly call: true } | { readonly wait: number };

export interface SimulatedTenant {
  readonly name: string;
  /** Its programs; each begins as something new. */
  readonly programs: readonly (readonly Phase[])[];
  /** How long after its end a program begins again; null: it goes on without an end. */
  readonly pauseMs: number | null;
  readonly startsAt: number;
}

export interface Simulated {
  /** How long each run took, by tenant. */
  readonly runs: ReadonlyMap<string, readonly number[]>;
  /** The longest that a tenant that wanted a turn had none, by tenant. */
  readonly gaps: ReadonlyMap<string, number>;
}

interface Program {
  readonly tenant: SimulatedTenant;
  readonly phases: readonly Phase[];
  at: number;
  ticket: number;
  state: 'idle' | 'asks' | 'makes' | 'computes' | 'calls' | 'waits';
  /** Of a phase of computing, in processor time; of all others, when it is over. */
  left: number;
  beganAt: number;
  requestedAt: number;
  /** Since when it computes without a call. */
  since: number;
  isLong: boolean;
  impatientAt: number;
}

/** One step, and with it one turn of the supervisor's event loop. */
const STEP_MS = 0.25;
/** Calls that the supervisor answers in one of them. */
const CALLS_PER_STEP = 2;
const MAKING_MS = 1;
/** As the pool has them. */
const [LONG_MS, WAIT_MS, REVIEW_MS] = [50, 1000, 100];
/** What a process weighs that gives way (nice 10). */
const LIGHT = 0.107;

/** Runs programs on simulated processors, which all that compute share by their weight, for so many milliseconds. */
export function simulate(bounds: TurnBounds, tenants: readonly SimulatedTenant[], lengthMs: number): Simulated {
  return new Simulation(bounds, tenants).run(lengthMs);
}

class Simulation {
  #state: TurnState;
  #now = 0;
  #tickets = 0;
  readonly #bounds: TurnBounds;
  readonly #programs: Program[];
  readonly #byTicket = new Map<number, Program>();
  readonly #heavy = new Set<string>();
  readonly #calls: Program[] = [];
  readonly #runs = new Map<string, number[]>();
  readonly #gaps = new Map<string, number>();
  /** When a tenant had, or wanted, nothing less than a turn. */
  readonly #fedAt = new Map<string, number>();

  constructor(bounds: TurnBounds, tenants: readonly SimulatedTenant[]) {
    this.#bounds = bounds;
    this.#state = openTurns(bounds);
    this.#programs = tenants.flatMap((tenant) =>
      tenant.programs.map((phases) => ({
        tenant,
        phases,
        at: 0,
        ticket: 0,
        state: 'idle' as const,
        left: tenant.startsAt,
        beganAt: 0,
        requestedAt: 0,
        since: 0,
        isLong: false,
        impatientAt: Infinity,
      })),
    );
    for (const { name } of tenants) this.#runs.set(name, []);
  }

  run(lengthMs: number): Simulated {
    for (let nextReview = REVIEW_MS; this.#now < lengthMs; this.#now += STEP_MS) {
      if (this.#now >= nextReview) {
        nextReview += REVIEW_MS;
        this.#handle({ event: 'review', now: this.#now });
      }
      this.#compute();
      for (const program of this.#calls.splice(0, CALLS_PER_STEP)) this.#answered(program);
      for (const program of this.#programs) this.#pass(program);
      if (hasCandidate(this.#state)) this.#handle({ event: 'serve', now: this.#now });
      this.#watchGaps();
    }
    return { runs: this.#runs, gaps: this.#gaps };
  }

  #handle(event: TurnEvent): void {
    const { state, actions } = stepTurns(this.#state, event);
    this.#state = state;
    for (const action of actions) this.#act(action);
  }

  #act(action: TurnAction): void {
    if (action.action === 'weigh') {
      if (action.isHeavy) this.#heavy.add(action.tenant);
      else this.#heavy.delete(action.tenant);
      return;
    }
    const program = this.#byTicket.get(action.ticket);
    if (program === undefined) throw new Error('a ticket of nobody');
    if (action.action === 'wait') {
      program.impatientAt = action.untilAt;
      return;
    }
    program.impatientAt = Infinity;
    program.isLong = action.state === 'long';
    program.since = this.#now;
    if (program.state !== 'asks') return;
    program.state = action.state === 'making' ? 'makes' : 'computes';
    if (action.state === 'making') program.left = MAKING_MS;
  }

  #of(program: Program): { readonly ticket: number; readonly tenant: string; readonly now: number } {
    return { ticket: program.ticket, tenant: program.tenant.name, now: this.#now };
  }

  #ask(program: Program, work: Work): void {
    this.#byTicket.delete(program.ticket);
    this.#tickets += 1;
    program.ticket = this.#tickets;
    this.#byTicket.set(program.ticket, program);
    program.state = 'asks';
    program.impatientAt = work === 'new' ? Infinity : this.#now + WAIT_MS;
    this.#handle({ event: 'ask', work, ...this.#of(program) });
  }

  /** Each that computes gets its part of the processors, one at most. */
  #compute(): void {
    const computing = this.#programs.filter(({ state }) => state === 'makes' || state === 'computes');
    const weightOf = ({ tenant }: Program): number => (this.#heavy.has(tenant.name) ? LIGHT : 1);
    let processors = this.#bounds.processors;
    let weights = computing.reduce((sum, program) => sum + weightOf(program), 0);
    for (const program of computing.toSorted((a, b) => weightOf(b) - weightOf(a))) {
      const share = Math.min(1, (processors * weightOf(program)) / weights);
      processors -= share;
      weights -= weightOf(program);
      program.left -= share * STEP_MS;
    }
  }

  /** The turn is kept while the supervisor answers; it may be another's then. */
  #answered(program: Program): void {
    program.state = 'asks';
    program.impatientAt = this.#now + WAIT_MS;
    this.#handle({ event: 'called', ...this.#of(program) });
  }

  #pass(program: Program): void {
    const { state, tenant } = program;
    if (state === 'idle' && program.left <= this.#now) {
      program.at = -1;
      program.beganAt = this.#now;
      this.#ask(program, 'new');
    } else if (state === 'asks' && program.impatientAt <= this.#now) {
      program.impatientAt = Infinity;
      this.#handle({ event: 'impatient', waitMs: WAIT_MS, isLast: false, ...this.#of(program) });
    } else if (state === 'waits' && program.left <= this.#now) {
      this.#ask(program, 'again');
      this.#next(program, tenant);
    } else if (state === 'makes' && program.left <= 0) {
      this.#handle({ event: 'leave', ...this.#of(program) });
      this.#ask(program, 'next');
      this.#next(program, tenant);
    } else if (state === 'computes' && program.left <= 0) {
      this.#next(program, tenant);
    } else if (state === 'computes' && !program.isLong && this.#now - program.since >= LONG_MS) {
      program.isLong = true;
      this.#handle({ event: 'long', ...this.#of(program) });
    }
  }

  /** Goes on to the next phase, which may be one that begins once it has its turn. */
  #next(program: Program, tenant: SimulatedTenant): void {
    program.at += 1;
    if (program.at === program.phases.length && tenant.pauseMs !== null) {
      this.#handle({ event: 'leave', ...this.#of(program) });
      this.#runs.get(tenant.name)?.push(this.#now - program.beganAt);
      program.state = 'idle';
      program.left = this.#now + tenant.pauseMs;
      return;
    }
    const phase = program.phases[program.at % program.phases.length];
    if (phase === undefined) throw new Error('a program does something');
    if ('compute' in phase) {
      program.left = phase.compute;
    } else if (program.state === 'computes' && 'call' in phase) {
      program.state = 'calls';
      program.left = 0;
      this.#calls.push(program);
    } else if (program.state === 'computes' && 'wait' in phase) {
      this.#handle({ event: 'leave', ...this.#of(program) });
      program.state = 'waits';
      program.left = this.#now + phase.wait;
    } else {
      // It has no turn yet: what it does next it does then.
      program.at -= 1;
      program.left = 0;
    }
  }

  #watchGaps(): void {
    for (const { name } of new Set(this.#programs.map(({ tenant }) => tenant))) {
      const own = this.#programs.filter(({ tenant }) => tenant.name === name);
      const isFed =
        own.some(({ state }) => state === 'makes' || state === 'computes' || state === 'calls') ||
        !own.some(({ state }) => state === 'asks');
      if (isFed) this.#fedAt.set(name, this.#now);
      const gap = this.#now - (this.#fedAt.get(name) ?? 0);
      this.#gaps.set(name, Math.max(gap, this.#gaps.get(name) ?? 0));
    }
  }
}
