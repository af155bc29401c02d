import { randomBytes } from 'node:crypto';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import { checkArguments, maybe } from '../../platform/arguments/checks.ts';
import { LOCAL_TENANT, isTenantName, poolTenant, type TenantPolicy } from '../../platform/tenant.ts';
import type { Application } from '../../application/preflight/application.ts';
import type { Preparation } from '../../application/prepared/prepared-application.ts';
import type { Continuation } from '../../calls/kernel/continuations/store.ts';
import {
  isPrepared,
  restoreOptions,
  savedBytes,
  sessionOptions,
  sessionSubject,
} from '../../code/embedded/arguments.ts';
import { EmbeddedSession, keysOf } from '../../code/embedded/code-session.ts';
import { embeddedRoom, type EmbeddedRoom } from '../../code/embedded/embedded-room.ts';
import type { ProgramRunEnd } from '../../code/embedded/evaluation.ts';
import { idleIsolates } from '../../code/embedded/idle-isolates.ts';
import { roomDocuments } from '../../code/embedded/room-documents.ts';
import { readSealed } from '../../code/embedded/sealed-session.ts';
import { SessionNotOpened, SessionNotRestored } from '../../code/embedded/session-errors.ts';
import type {
  CodeRoom,
  CodeSession,
  CodeSessionOptions,
  RestoreOptions,
  SealingKeys,
} from '../../code/embedded/types.ts';
import { importBounds } from '../../code/imports/bounds.ts';
import { serverTimers } from '../../code/room/servers.ts';
import { SESSION_MISSION } from '../../code/room/session-application.ts';
import type { ProgramRun } from '../../code/session/session.ts';
import { sha256Hex } from '../../documents/digest.ts';
import { SEMANTIC_REVISION } from '../../documents/identity/effective.ts';
import type { BeginRun } from './runs.ts';
import { openingOptions, type RunSetting } from './run-setting.ts';
import type { ApplicationReference, PreparedApplication } from '../embedding/types.ts';

/** What sessions of a supervisor are opened with. */
export interface SessionsSetting {
  readonly setting: RunSetting;
  readonly sandbox: Sandbox;
  readonly begin: BeginRun;
  readonly prepare: (reference: ApplicationReference) => Promise<PreparedApplication>;
  readonly preparationOf: (application: PreparedApplication) => Preparation | null;
  readonly policy: (tenant: string) => Partial<TenantPolicy> | null;
  readonly isReady: () => boolean;
  /** `limits.maxSessions`. */
  readonly most: number;
  /** Processes that idle sessions hold at most. */
  readonly mostIdle: number;
  readonly keys: SealingKeys | null;
}

/** The sessions of one supervisor (code-mode.md §6). */
export interface Sessions {
  open(subject: PreparedApplication | CodeRoom, options?: CodeSessionOptions): Promise<CodeSession>;
  restore(bytes: Uint8Array, subject: PreparedApplication | CodeRoom, options?: RestoreOptions): Promise<CodeSession>;
  readonly count: () => number;
  close(): Promise<void>;
}

/** A minute: definitions are kept as text, and read again by the next program. */
const IDLE_MS = 60_000;
/** Bytes of a name in evidence, and of a domain. */
const NAME_BYTES = 16;
/** For what was saved to be read in an isolate. */
const RESTORE_MS = 30_000;

type Subject = PreparedApplication | CodeRoom;

interface Place {
  readonly tenant: string;
  readonly principal: string;
  readonly room: EmbeddedRoom;
  readonly application: PreparedApplication;
  /** Digest of all that a program can see. */
  readonly digest: string;
}

export function sessionsOf(sessions: SessionsSetting): Sessions {
  const open = new Set<CodeSession>();
  const idle = idleIsolates({ idleMs: IDLE_MS, most: sessions.mostIdle }, serverTimers(importBounds().startMs));
  let opening = 0;

  /** Within the bound, whatever opening waits for. */
  async function counted(act: () => Promise<CodeSession>): Promise<CodeSession> {
    if (!sessions.isReady()) throw new SessionNotOpened('draining');
    if (open.size + opening >= sessions.most) throw new SessionNotOpened('session_limit');
    opening += 1;
    try {
      const session = await act();
      if (sessions.isReady()) return session;
      await session.close();
      throw new SessionNotOpened('draining');
    } finally {
      opening -= 1;
    }
  }

  async function placeOf(call: string, subject: Subject, options: CodeSessionOptions): Promise<Place> {
    const { tenant = LOCAL_TENANT, principal = tenant } = options;
    if (!isTenantName(tenant) || sessions.policy(tenant) === null) throw new SessionNotOpened('tenant_unknown');
    const documents = isPreparedSubject(subject) ? null : await roomDocuments(subject);
    const application = isPreparedSubject(subject)
      ? subject
      : await sessions.prepare({
          kind: 'memory',
          tenant,
          files: documents?.files ?? new Map(),
          custom: documents?.custom ?? [],
        });
    const preparation = sessions.preparationOf(application);
    if (preparation === null) throw new SessionNotOpened('prepared_stale');
    const mission = missionOf(call, preparation.application, options.mission);
    const { trace = false, inspection = false } = options.artifacts ?? {};
    const variant = await preparation.variant({
      dataClass: 'normal',
      identityFixed: trace || preparation.target.kind === 'project',
      inspectionCapture: inspection,
      narrowed: {},
    });
    if (!variant.ok) throw new SessionNotOpened('room_invalid', variant.diagnostic);
    const room = embeddedRoom({
      preparation,
      application: variant.value,
      mission,
      tenant,
      asking: documents?.asking ?? new Set(),
      options: openingOptions(sessions.setting, { tenant, principal, workingDirectory: preparation.workingDirectory }),
    });
    return { tenant, principal, room, application, digest: digestOf(application, mission) };
  }

  function opened(place: Place, options: CodeSessionOptions, restored: Continuation | null): CodeSession {
    const { tenant, principal, room, application } = place;
    const { sessionRef = randomBytes(NAME_BYTES).toString('hex'), onEvent, onApproval, artifacts, signal } = options;
    let domain: string | null = null;
    let leave: (() => void) | null = null;
    const session = new EmbeddedSession({
      sessionRef,
      tenant,
      room: room.current,
      contents: room.contents,
      settle: room.settle,
      longestMs: room.longestMs,
      waits: onApproval === 'wait',
      restored,
      identity: { room: place.digest, revision: SEMANTIC_REVISION },
      keys: sessions.keys,
      restsAtOnce: sessions.policy(tenant)?.isolation === 'process-per-run',
      domain: () => (domain = newDomain()),
      endDomain: async () => {
        const ended = domain;
        domain = null;
        if (ended !== null) await sessions.sandbox.endDomain({ environment: 'mission', trustDomain: ended });
      },
      onIdle: (rest) => {
        leave?.();
        leave = rest === null ? null : idle.hold(() => void rest());
      },
      perform: async (run) =>
        performed(sessions.begin, application, run, {
          tenant,
          principal,
          runRef: run.runRef,
          signal: run.signal,
          ...(onEvent === undefined ? {} : { onEvent }),
          ...(onApproval === undefined || onApproval === 'wait' ? {} : { onApproval }),
          ...(artifacts === undefined ? {} : { artifacts }),
        }),
      close: async () => {
        signal?.removeEventListener('abort', close);
        open.delete(session);
        await room.close();
      },
    });
    const close = (): void => void session.close();
    open.add(session);
    signal?.addEventListener('abort', close, { once: true });
    if (signal?.aborted === true) close();
    return session;
  }

  return {
    count: () => open.size,
    async open(subject, options = {}) {
      checkArguments('supervisor.openSession', {
        room: [subject, sessionSubject],
        options: [options, maybe(sessionOptions)],
      });
      return counted(async () => opened(await placeOf('supervisor.openSession', subject, options), options, null));
    },
    async restore(bytes, subject, options = {}) {
      checkArguments('supervisor.restoreSession', {
        bytes: [bytes, savedBytes],
        room: [subject, sessionSubject],
        options: [options, maybe(restoreOptions)],
      });
      const { key, tenant = LOCAL_TENANT } = options;
      if (key === undefined && sessions.keys === null)
        throw new TypeError(
          'supervisor.restoreSession: there is a key in its options, or stores.keys of the supervisor',
        );
      return counted(async () => {
        const read = readSealed(bytes.slice(), tenant);
        if (!read.ok) throw new SessionNotRestored(read.code);
        const { sealed } = read;
        const opener =
          key ?? (sessions.keys === null ? undefined : (await keysOf(sessions.keys, tenant)).get(sealed.epoch));
        if (opener === undefined) throw new SessionNotRestored('key_unavailable');
        const saved = sealed.open(opener);
        if (saved === null) throw new SessionNotRestored('damaged');
        if (saved.revision !== SEMANTIC_REVISION) throw new SessionNotRestored('revision_changed');
        const place = await placeOf('supervisor.restoreSession', subject, options);
        try {
          if (saved.room !== place.digest) throw new SessionNotRestored('application_changed');
          if (saved.continuation !== null && !(await isReadable(sessions.sandbox, place, saved.continuation)))
            throw new SessionNotRestored('damaged');
          return opened(place, options, saved.continuation);
        } catch (error) {
          await place.room.close();
          throw error;
        }
      });
    },
    async close() {
      await Promise.all([...open].map(async (session) => session.close()));
    },
  };
}

function newDomain(): string {
  return `session ${randomBytes(NAME_BYTES).toString('hex')}`;
}

function isPreparedSubject(subject: Subject): subject is PreparedApplication {
  return isPrepared(subject);
}

/** Throws TypeError for one that the application does not declare. */
function missionOf(call: string, { manifest: { missions } }: Application, requestedId: string | undefined): string {
  const declared = [...missions.keys()];
  const [only] = declared;
  const mission = requestedId ?? (declared.length === 1 ? only : undefined) ?? SESSION_MISSION;
  if (missions.has(mission)) return mission;
  const known = declared.length === 0 ? 'it declares none' : `it declares ${declared.join(', ')}`;
  throw new TypeError(`${call}: options.mission is a mission of the application: ${known}`);
}

function digestOf(
  { contentDigest, effectiveDigest, installationDigests }: PreparedApplication,
  mission: string,
): string {
  const facts = jsonFromPlain([contentDigest, effectiveDigest, { ...installationDigests }, mission]);
  return sha256Hex(canonicalJson(facts ?? null));
}

async function performed(
  begin: BeginRun,
  application: PreparedApplication,
  run: ProgramRun,
  request: Parameters<BeginRun>[1],
): Promise<ProgramRunEnd> {
  const end = await begin(application, request, run).result;
  if (end.kind === 'refused') return { kind: 'refused', code: end.code, retryAfterMs: end.retryAfterMs };
  const { envelope, cancelled, artifacts } = end;
  return { kind: 'finished', envelope, cancelled, artifacts };
}

/** Whether an isolate of this room makes values of what was saved: nobody else reads it. */
async function isReadable(
  sandbox: Sandbox,
  { tenant, room }: Place,
  { definitions, history }: Continuation,
): Promise<boolean> {
  const domain = { environment: 'mission', trustDomain: newDomain() } as const;
  const { code, heapWords, tools, data } = room.checking();
  const isolate = await sandbox.openIsolate({ ...domain, heapWords, tenant: poolTenant(tenant) });
  try {
    const request = {
      operation: 'check',
      source: 'nil',
      tools,
      data,
      terminal: false,
      continuation: { definitions, history },
    } as const;
    const options = { timeoutMs: RESTORE_MS };
    if (code === null) {
      const outcome = await isolate.request(request, options);
      return outcome.status === 'replied' && outcome.reply.status === 'valid';
    }
    const loaded = await isolate.loadAndRequest(code, request, options);
    return loaded.attached && loaded.outcome.status === 'replied' && loaded.outcome.reply.status === 'valid';
  } finally {
    await isolate.dispose();
    await sandbox.endDomain(domain);
  }
}
