import { routeNamed } from '../../../contract/routes.ts';
import type { TraceEvent } from '../event.ts';
import type { StartedProgram, RunObserver } from '../live/observer.ts';
import { EMPTY_VIEW, withEvent, withProgram, type RunView } from '../live/run-view.ts';
import { boundedEvents, type BoundedEvents } from './bounded-events.ts';

/** Counters, closed words, and the first lines of programs of a normal run; never a value or a path. */
export type EventData = Readonly<Record<string, string | number | boolean | null>>;

/** Events of a run by name (gateway.md §16). */
export type RunEventName =
  | 'queued'
  | 'admitted'
  | 'started'
  | 'phase'
  | 'capability'
  | 'approval'
  | 'usage'
  | 'warning'
  | 'cancelling'
  | 'finished';

/** One thing that happened to a run. */
export interface RunEvent {
  readonly event: RunEventName;
  /** From 1, without gaps but for progress that was dropped. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly runRef: string;
  readonly tenant: string;
  readonly data: EventData;
}

/** Called with every event in order, as fast as it takes them; what it throws or rejects with is dropped. */
export type RunEventListener = (event: RunEvent) => unknown;

const PROGRESS: ReadonlySet<RunEventName> = new Set(['phase', 'capability', 'approval', 'usage', 'warning']);

/** A change of these is reported as `usage`. */
const SPENT = ['cost', 'modelCalls', 'evaluations', 'agents', 'programs'] as const satisfies readonly (keyof RunView)[];

/** What was spent, and, where agents are at work, which turn is taken and which program ran last. */
function usageOf({ modelCalls, evaluations, cost, tokens, agents, programs }: RunView): EventData {
  const [agent, program] = [[...agents.values()].at(-1), programs.at(-1)];
  return {
    modelCalls,
    evaluations,
    costMicrousd: cost,
    ...(agent !== undefined && { tokens, turn: agent.turn, maxTurns: agent.maxTurns, kind: agent.kind }),
    ...(program !== undefined && { program: program.line, outcome: program.outcome }),
  };
}

/** A question, and how it ended (approvals.md §7); null for every other event. */
function approvalOf({ type, data }: TraceEvent): EventData | null {
  const state =
    type === 'approval-requested' ? 'asked' : type === 'approval-decided' ? data.get('decision') : undefined;
  const approvalId = data.get('approval_id');
  return typeof state === 'string' && typeof approvalId === 'string' ? { approvalId, state } : null;
}

/** The events of one run, on their way to anyone who wants them. */
export interface RunEvents {
  readonly stream: AsyncIterable<RunEvent>;
  report(event: RunEventName, data?: EventData): void;
  /** Follows the run itself; of a private one nothing but its start is reported. */
  readonly observer: RunObserver;
  /** The last event; nothing is reported after it. */
  finish(data: EventData): void;
  /** Calls of providers that the run began, routes not counted. */
  readonly calls: () => number;
  /** From here on no progress is reported. */
  keepPrivate(): void;
}

/** `now`: milliseconds since 1970. */
export function runEvents({
  runRef,
  tenant,
  listener,
  now = Date.now,
}: {
  readonly runRef: string;
  readonly tenant: string;
  readonly listener?: RunEventListener | undefined;
  readonly now?: () => number;
}): RunEvents {
  const own = boundedEvents<RunEvent>();
  const consumers: BoundedEvents<RunEvent>[] = [own];
  if (listener !== undefined) {
    const bounded = boundedEvents<RunEvent>();
    consumers.push(bounded);
    void follow(bounded, listener);
  }
  const numbered = new NumberedEvents(consumers, { runRef, tenant, now });
  const report: RunEvents['report'] = (name, data = {}) => numbered.report(name, data);
  const progress = new ObservedProgress(report);
  return {
    stream: own,
    report,
    observer: {
      started: (_, remainingMs) => report('started', { remainingMs }),
      event: (event) => progress.event(event),
      program: (program) => progress.program(program),
    },
    finish: (data) => numbered.finish(data),
    calls: () => progress.calls(),
    keepPrivate: () => numbered.keepPrivate(),
  };
}

interface EventSource {
  readonly runRef: string;
  readonly tenant: string;
  readonly now: () => number;
}

/** Numbers the events of a run and passes them to those who want them. */
class NumberedEvents {
  readonly #consumers: readonly BoundedEvents<RunEvent>[];
  readonly #source: EventSource;
  #seq = 0;
  #isPrivate = false;

  constructor(consumers: readonly BoundedEvents<RunEvent>[], source: EventSource) {
    this.#consumers = consumers;
    this.#source = source;
  }

  report(name: RunEventName, data: EventData): void {
    const isProgress = PROGRESS.has(name);
    if (isProgress && this.#isPrivate) return;
    this.#seq += 1;
    const event = this.#event(name, Object.freeze(data));
    const bytes = JSON.stringify(event).length;
    for (const consumer of this.#consumers) consumer.push(event, bytes, isProgress);
  }

  /** Each consumer is given the number of events that it lost. */
  finish(data: EventData): void {
    this.#seq += 1;
    for (const consumer of this.#consumers) {
      const event = this.#event('finished', Object.freeze({ ...data, dropped: consumer.dropped() }));
      consumer.push(event, JSON.stringify(event).length, false);
      consumer.end();
    }
  }

  keepPrivate(): void {
    this.#isPrivate = true;
  }

  #event(event: RunEventName, data: EventData): RunEvent {
    const { runRef, tenant, now } = this.#source;
    return Object.freeze({ event, seq: this.#seq, at: now(), runRef, tenant, data });
  }
}

/** What the events of a trace mean for those who follow the run. */
class ObservedProgress {
  readonly #report: RunEvents['report'];
  #calls = 0;
  #view = EMPTY_VIEW;

  constructor(report: RunEvents['report']) {
    this.#report = report;
  }

  calls(): number {
    return this.#calls;
  }

  event(event: TraceEvent): void {
    const name = event.data.get('name');
    const isCall = typeof name === 'string' && routeNamed(name) === undefined;
    if (event.type === 'capability-started' && isCall) this.#calls += 1;
    const before = this.#view;
    const view = withEvent(before, event);
    this.#view = view;
    if (view.stage !== before.stage) this.#report('phase', { stage: view.stage });
    if (event.type === 'capability-stopped' && isCall)
      this.#report('capability', {
        status: event.data.get('status') === 'ok' ? 'ok' : 'error',
        calls: this.#calls,
        inFlight: view.workers,
      });
    const approval = approvalOf(event);
    if (approval !== null) this.#report('approval', approval);
    if (SPENT.some((member) => view[member] !== before[member])) this.#report('usage', usageOf(view));
  }

  program(program: StartedProgram): void {
    this.#view = withProgram(this.#view, program);
  }
}

async function follow(events: AsyncIterable<RunEvent>, listener: RunEventListener): Promise<void> {
  for await (const event of events) {
    try {
      await listener(event);
    } catch {
      // A consumer that is mistaken ends nothing but its own work.
    }
  }
}
