import { randomFillSync } from 'node:crypto';
import { newRunReference, type RunReference } from '../../../contract/run-reference.ts';
import { success } from '../../../contract/outcome.ts';
import { noSessionDecisions, type SessionDecisions } from '../../calls/approvals/book.ts';
import type { ApprovalAsker } from '../../calls/approvals/desk.ts';
import type { Continuation } from '../../calls/kernel/continuations/store.ts';
import type { RunObserver } from '../../evidence/live/observer.ts';
import type { ProjectArtifacts } from '../../documents/project/artifacts.ts';
import { performRun, type RunReport } from '../../run/perform-run.ts';
import type { RunProgram } from '../../run/run-program.ts';
import type { RunTools } from '../../run/run-request.ts';
import type { RunSession } from '../../run/run-session.ts';
import type { FormHistory } from '../../run/forms/form-history.ts';
import { countCalls, type CallCounts } from './count-calls.ts';
import { SETTERS } from './program-errors.ts';
import type { ProgramEnd, ProgramError } from './program-end.ts';
import { ProgramForm, type FormOutcome, type ProgramRequest } from './program-form.ts';
import { SessionIsolate } from './session-isolate.ts';
import { SessionMemory } from './session-memory.ts';
import type { SessionRoom } from './session-room.ts';

export interface ProgramSessionOptions {
  /** Names it in evidence. */
  readonly id: string;
  /** Names a domain for its next isolate, which nobody else has. Absent: its name is one. */
  readonly domain?: () => string;
  /** Performs the run of each program. */
  readonly perform: PerformProgram;
  /** Asked before each program: servers come and go. */
  readonly room: () => Promise<SessionRoom>;
  /**
   * Whether a program is refused where its evidence cannot be started, as by default; else it goes on without, and its
   * end says so.
   */
  readonly requiresEvidence?: boolean;
  /** Each trace says so; absent: people are asked as ever. */
  readonly approvals?: 'off';
  /** What it goes on from; null, or absent: nothing. */
  readonly restored?: Continuation | null;
  /** Milliseconds after a program until its isolate is given up; definitions are kept as text. */
  readonly idleMs: number;
}

/** One program as a run of its own. */
export interface ProgramRun {
  readonly runRef: RunReference;
  readonly room: SessionRoom;
  readonly program: RunProgram;
  readonly session: RunSession;
  readonly observer: RunObserver;
  readonly signal: AbortSignal;
  /** Who is asked about calls that need a person's yes; absent: anyone who its supervisor names. */
  readonly asker?: ApprovalAsker;
  /** What was decided for all runs of the session. */
  readonly decisions?: SessionDecisions;
  /** No evidence is started: there is no place for it. */
  readonly leavesNothing?: true;
}

/** How a session has its programs run. What it rejects with, `evaluate` rejects with. */
export type PerformProgram = (run: ProgramRun) => Promise<Pick<RunReport, 'envelope'>>;

/** Programs of one tenant as runs that leave `artifacts`; null: nothing. */
export function performIn(
  tools: RunTools,
  { tenant, artifacts }: { readonly tenant: string; readonly artifacts: ProjectArtifacts | null },
): PerformProgram {
  return async ({ room: { application, openEnvironments }, leavesNothing, asker, decisions, ...run }) =>
    performRun(tools, {
      ...run,
      approvals: {
        asker: asker ?? null,
        allowsAll: run.session.approvals === 'off',
        ...(decisions === undefined ? {} : { session: decisions }),
      },
      trustDomain: tenant,
      source: {
        locate: async () =>
          success({
            project: leavesNothing === true ? null : artifacts,
            load: async () => success({ application, openEnvironments }),
          }),
      },
      explicit: { traceDirectory: null, inspection: null, output: null, privateOutput: null },
      onEvaluated: () => undefined,
    });
}

/** Programs that see each other's definitions, each in a run of its own (code-mode.md §5). One at a time. */
export interface ProgramSession {
  readonly id: string;
  /** Aborting gives the program up: what was defined before it stays. */
  evaluate(request: ProgramRequest): Promise<ProgramEnd>;
  /** Forgets all definitions and values. */
  reset(): Promise<void>;
  /** What was kept last, as text; null: nothing was. */
  stored(): Continuation | null;
  /** Gives its isolate up; definitions are kept as text. Not while a program is evaluated. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

const encoder = new TextEncoder();

export function openProgramSession(options: ProgramSessionOptions): ProgramSession {
  return new LastingSession(options);
}

class LastingSession implements ProgramSession {
  readonly id: string;
  readonly #options: ProgramSessionOptions;
  readonly #memory: SessionMemory;
  readonly #isolate: SessionIsolate;
  readonly #decisions = noSessionDecisions();
  #runs = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ProgramSessionOptions) {
    this.id = options.id;
    this.#options = options;
    this.#memory = new SessionMemory(options.restored ?? null);
    this.#isolate = new SessionIsolate(() => options.domain?.() ?? options.id);
  }

  async evaluate(request: ProgramRequest): Promise<ProgramEnd> {
    clearTimeout(this.#idle);
    const end = await this.#evaluateIn(await this.#options.room(), request);
    this.#idle = setTimeout(() => void this.rest(), this.#options.idleMs).unref();
    return end;
  }

  async reset(): Promise<void> {
    await this.rest();
    this.#memory.clear();
  }

  stored(): Continuation | null {
    return this.#memory.continuation();
  }

  async rest(): Promise<void> {
    this.#memory.lose();
    await this.#isolate.drop();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.rest();
  }

  async #evaluateIn(room: SessionRoom, request: ProgramRequest): Promise<ProgramEnd> {
    const { perform, requiresEvidence } = this.#options;
    const runRef = newRunReference(randomFillSync);
    const tooLarge = tooLargeFor(room, request);
    if (tooLarge !== null) return refused(runRef, tooLarge);
    const memory = this.#memory.open(room.application.limits);
    // Other components are another program; definitions stay.
    if (this.#isolate.isOfOther(room.code)) await this.rest();
    const calls = countCalls(request.onCall);
    const form = this.#formOf(room, request, memory);
    const run = this.#runOf({ runRef, room, program: form, observer: calls.observer }, request);
    const report = await perform(run);
    const { envelope } = report;
    const isUnwritable = envelope.status === 'error' && envelope.error.phase === 'destination';
    if (requiresEvidence !== false || !isUnwritable || form.end.outcome !== null) return endOf(report, form.end, calls);
    return { ...endOf(await perform({ ...run, leavesNothing: true }), form.end, calls), hasEvidence: false };
  }

  #formOf(room: SessionRoom, request: ProgramRequest, memory: FormHistory): ProgramForm {
    const { evaluation_timeout_ms: mostMs } = room.application.limits;
    return new ProgramForm({
      room,
      request,
      memory,
      timeoutMs: Math.min(request.timeoutMs ?? mostMs, mostMs),
      isolateOf: (ofRoom, sandbox) => this.#isolate.open(ofRoom, sandbox),
      dropIsolate: async () => this.rest(),
    });
  }

  /** The next run of the session. */
  #runOf(
    run: Pick<ProgramRun, 'runRef' | 'room' | 'program' | 'observer'>,
    { signal, asker }: ProgramRequest,
  ): ProgramRun {
    const { approvals } = this.#options;
    this.#runs += 1;
    return {
      ...run,
      session: { id: this.id, index: this.#runs, ...(approvals === undefined ? {} : { approvals }) },
      signal,
      ...(asker === undefined ? {} : { asker }),
      decisions: this.#decisions,
    };
  }
}

function tooLargeFor({ application: { limits } }: SessionRoom, { program }: ProgramRequest): ProgramError | null {
  const bytes = encoder.encode(program).length;
  if (bytes <= limits.subordinate_source_bytes) return null;
  return {
    kind: 'program_too_large',
    message: `the program has ${bytes} bytes; ${limits.subordinate_source_bytes} are allowed (subordinate_source_bytes, ${SETTERS})`,
    place: null,
    remedy: 'define functions in one program and call them in the next',
  };
}

function refused(runRef: RunReference, error: ProgramError): ProgramEnd {
  return { kind: 'error', runRef, prints: [], calls: [], hasEvidence: true, error };
}

/** A run that could not be opened, or kept on record, says so in its own words. */
function endOf(
  { envelope }: Pick<RunReport, 'envelope'>,
  { outcome, prints }: { readonly outcome: FormOutcome | null; readonly prints: readonly string[] },
  calls: CallCounts,
): ProgramEnd {
  const { trace, inspection } = envelope.artifact_state;
  const facts = {
    runRef: envelope.run_ref,
    prints,
    calls: calls.counts(),
    hasEvidence: [trace, inspection].every((state) => state === 'written' || state === 'not_requested'),
  };
  if (outcome !== null) return { ...facts, ...outcome };
  if (envelope.status === 'ok') throw new Error('a program that ended came to something');
  const { code: kind, message } = envelope.error;
  return { ...facts, kind: 'error', error: { kind, message, place: null, remedy: null } };
}
