import { LONGEST_TIMER_MS } from '../../../contract/limits/longest-timer.ts';
import { randomBytes } from 'node:crypto';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import type { Preparation } from '../../application/prepared/prepared-application.ts';
import type { ApprovalAsker } from '../../calls/approvals/desk.ts';
import { embeddedRoom } from '../../code/embedded/embedded-room.ts';
import { SessionNotOpened } from '../../code/embedded/session-errors.ts';
import { idleIsolates } from '../../code/embedded/idle-isolates.ts';
import { importBounds } from '../../code/imports/bounds.ts';
import type { RoomContents } from '../../code/index/room-index.ts';
import type { BorrowedServers } from '../../code/room/borrowed-server.ts';
import { serverTimers } from '../../code/room/servers.ts';
import type { ProgramEnd } from '../../code/session/program-end.ts';
import type { ProgramRequest } from '../../code/session/program-form.ts';
import { openProgramSession, type ProgramRun } from '../../code/session/session.ts';
import type { OpenedProviders, PreparedApplication, RunRefused, RunRequest, RunResult } from '../embedding/types.ts';
import type { ProviderPool } from './provider-pool.ts';
import type { BeginRun } from './runs.ts';
import { openingOptions, type RunSetting } from './run-setting.ts';

/** What the run of one program is asked for with, beside the program. */
export interface HostedTerms extends Pick<
  RunRequest,
  'witness' | 'deadlineMs' | 'startWithinMs' | 'traceparent' | 'onEvent'
> {
  /** Called with how its run ended, before its program's end is. */
  readonly onEnd?: (end: RunResult) => void;
}

/** Programs that see each other's definitions, asked for by somebody who is no part of this process. */
export interface HostedSession {
  /** One at a time. `terms`: for the run that is about to begin, by its name. */
  evaluate(request: ProgramRequest, terms: (runRef: string) => HostedTerms): Promise<ProgramEnd | RunRefused>;
  /** Forgets all definitions and values. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** A mission of an application as any number of sessions see it. */
export interface HostedRoom {
  contents(): RoomContents;
  /** `evaluation_timeout_ms`. */
  readonly longestMs: number;
  /** `run_duration_ms`; null: off. */
  readonly longestRunMs: number | null;
  openSession(): HostedSession;
  close(): Promise<void>;
}

export interface HostedRoomOptions {
  readonly tenant: string;
  readonly mission: string;
  /** What its runs are lent. Null: they open everything themselves; `unavailable`: it is opened again. */
  readonly providers: () => OpenedProviders | null | 'unavailable';
  readonly artifacts: { readonly trace: boolean; readonly inspection: boolean } | null;
}

/** Opens rooms of one supervisor. Rejects with `SessionNotOpened`. */
export type OpenHostedRoom = (application: PreparedApplication, options: HostedRoomOptions) => Promise<HostedRoom>;

export interface HostingSetting {
  readonly setting: RunSetting;
  readonly sandbox: Sandbox;
  readonly begin: BeginRun;
  readonly preparationOf: (application: PreparedApplication) => Preparation | null;
  readonly shareOf: ProviderPool['shareOf'];
  /** Processes that idle sessions hold at most. */
  readonly mostIdle: number;
}

/** Definitions are kept as text from then on (code-mode.md §5). */
const IDLE_MS = 60_000;
/** The longest that a timer takes: anyone who holds all sessions decides. */
const NEVER_MS = LONGEST_TIMER_MS;
const NAME_BYTES = 16;

/** A client over HTTP has no way to be asked (approvals.md §6). */
const NO_ELICITATION: ApprovalAsker = { ask: async () => ({ unavailable: 'client_without_elicitation' }) };

/** Why a program has no run. */
class NotStarted extends Error {
  readonly refusal: RunRefused;
  constructor(refusal: RunRefused) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

export function hostedRooms(hosting: HostingSetting): OpenHostedRoom {
  const idle = idleIsolates({ idleMs: IDLE_MS, most: hosting.mostIdle }, serverTimers(importBounds().startMs));
  return async (application, options) => {
    const { tenant, mission, providers, artifacts } = options;
    const preparation = hosting.preparationOf(application);
    if (preparation === null) throw new SessionNotOpened('prepared_stale');
    const variant = await preparation.variant({
      dataClass: 'normal',
      identityFixed: artifacts?.trace === true,
      inspectionCapture: artifacts?.inspection === true,
      narrowed: {},
    });
    if (!variant.ok) throw new SessionNotOpened('room_invalid', variant.diagnostic);
    const borrowed = borrowedServers(providers, hosting.shareOf);
    const room = embeddedRoom({
      preparation,
      application: variant.value,
      mission,
      tenant,
      asking: new Set(),
      options: openingOptions(hosting.setting, {
        tenant,
        principal: tenant,
        workingDirectory: preparation.workingDirectory,
      }),
      ...(providers() === null ? {} : { borrowed }),
    });
    return {
      contents: room.contents,
      longestMs: room.longestMs,
      longestRunMs: application.limits.run_duration_ms,
      openSession: () => openHosted(hosting, { application, options, room, hold: (rest) => idle.hold(rest) }),
      close: async () => room.close(),
    };
  };
}

interface SessionPlace {
  readonly application: PreparedApplication;
  readonly options: HostedRoomOptions;
  readonly room: ReturnType<typeof embeddedRoom>;
  readonly hold: (rest: () => void) => () => void;
}

function openHosted(
  { begin, sandbox }: HostingSetting,
  { application, options: { tenant, providers, artifacts }, room, hold }: SessionPlace,
): HostedSession {
  let domain: string | null = null;
  let leave: (() => void) | null = null;
  let terms: (runRef: string) => HostedTerms = () => ({});

  async function perform(run: ProgramRun) {
    const { onEnd = () => undefined, ...request } = terms(run.runRef);
    const shared = providers();
    const handle = begin(
      application,
      {
        ...request,
        runRef: run.runRef,
        tenant,
        signal: run.signal,
        ...(shared === null || shared === 'unavailable' ? {} : { providers: shared }),
        ...(artifacts === null ? {} : { artifacts }),
      },
      { ...run, asker: run.asker ?? NO_ELICITATION },
    );
    const end = await handle.result;
    onEnd(end);
    if (end.kind === 'refused') throw new NotStarted(end);
    return end;
  }

  const programs = openProgramSession({
    // What names it to its client is in no evidence.
    id: randomBytes(NAME_BYTES).toString('hex'),
    domain: () => (domain = `session ${randomBytes(NAME_BYTES).toString('hex')}`),
    perform,
    room: async () => room.current(),
    idleMs: NEVER_MS,
  });

  async function rest(): Promise<void> {
    await programs.rest();
    const ended = domain;
    domain = null;
    if (ended !== null) await sandbox.endDomain({ environment: 'mission', trustDomain: ended });
  }

  return {
    async evaluate(request, askedTerms) {
      leave?.();
      leave = null;
      terms = askedTerms;
      try {
        return await programs.evaluate(request);
      } catch (error) {
        if (!(error instanceof NotStarted)) throw error;
        return error.refusal;
      } finally {
        leave = hold(() => void rest());
      }
    },
    reset: async () => programs.reset(),
    async close() {
      leave?.();
      leave = null;
      await programs.close();
      await rest();
    },
  };
}

/** What is lent now, or was last: tools keep their names while their server is started again. */
function borrowedServers(current: HostedRoomOptions['providers'], after: ProviderPool['shareOf']): BorrowedServers {
  let last: OpenedProviders | null = null;
  let generation = 0;
  const look = (): boolean => {
    const now = current();
    if (now === null || now === 'unavailable') return false;
    if (now !== last) generation += 1;
    last = now;
    return true;
  };
  return {
    isOpen: look,
    generation: () => {
      look();
      return generation;
    },
    provider: (occurrence) => {
      look();
      const share = last === null ? null : after(last);
      const acquired = share?.acquired(occurrence) ?? null;
      if (share === null || acquired === null) return null;
      return {
        ...acquired,
        share: (run) => {
          const shared = share.share(occurrence, run);
          return shared === 'lost' ? null : shared;
        },
      };
    },
  };
}
