import { LONGEST_TIMER_MS } from '../../../contract/limits/longest-timer.ts';
import { callerQuestions } from './waiting-evaluation.ts';
import { checkArguments } from '../../platform/arguments/checks.ts';
import type { ApprovalAsker } from '../../calls/approvals/desk.ts';
import type { Continuation } from '../../calls/kernel/continuations/store.ts';
import { describeInRoom, searchRoom, type RoomContents } from '../index/room-index.ts';
import { SEARCH_LIMIT } from '../serve/definitions.ts';
import { openProgramSession, type ProgramRun, type ProgramSession } from '../session/session.ts';
import type { SessionRoom } from '../session/session-room.ts';
import { unwrapFence } from '../session/unwrap-fence.ts';
import {
  describedNames,
  evaluateOptions,
  programText,
  promptOptions,
  searchOptions,
  searchWords,
  sealingOptions,
} from './arguments.ts';
import { describeEvaluation, plainValue, type ProgramRunEnd } from './evaluation.ts';
import { PROMPT_BYTES, roomPrompt } from './prompt.ts';
import { SessionNotSaved } from './session-errors.ts';
import { sealSession, type SealKey } from './sealed-session.ts';
import type {
  CodeSession,
  EvaluateOptions,
  Evaluation,
  RoomDescription,
  RoomHits,
  SealingOptions,
  SealingKeys,
} from './types.ts';

/** What a session is over. */
export interface CodeSessionSetting {
  readonly sessionRef: string;
  /** Names the domain of its next isolate, which nobody else has. */
  readonly domain: () => string;
  readonly tenant: string;
  readonly room: () => Promise<SessionRoom>;
  readonly contents: () => RoomContents;
  /** Waits for servers that are starting, a short time. */
  readonly settle: () => Promise<void>;
  /** `evaluation_timeout_ms`. */
  readonly longestMs: number;
  /** Whether the caller of an evaluation decides its questions. */
  readonly waits: boolean;
  readonly perform: (run: ProgramRun) => Promise<ProgramRunEnd>;
  /** What it goes on from; null: nothing. */
  readonly restored: Continuation | null;
  /** Digest of the room, and revision of its values. */
  readonly identity: { readonly room: string; readonly revision: string };
  /** Of the supervisor; null without. */
  readonly keys: SealingKeys | null;
  /** Called when it has an isolate that it may be asked to give up, and when it has none. */
  readonly onIdle: (rest: (() => Promise<void>) | null) => void;
  /** Ends the processes of the domain that was named last. */
  readonly endDomain: () => Promise<void>;
  /** After each evaluation: its isolate shares a process with no later one. */
  readonly restsAtOnce: boolean;
  /** Ends what the room has open. */
  readonly close: () => Promise<void>;
}

/** Programs that wait beside the one that is evaluated (code-mode.md §5). */
const WAITING_MAX = 8;
const RETRY_BUSY_MS = 1000;
const VALUE_CHARS = 8192;
/** The longest that a timer takes. */
const NEVER_MS = LONGEST_TIMER_MS;

/** Why a program has no run. */
class NotStarted extends Error {
  readonly refusal: Extract<ProgramRunEnd, { readonly kind: 'refused' }>;
  constructor(refusal: NotStarted['refusal']) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

const CLOSED: Evaluation = { kind: 'refused', code: 'session_closed', retryAfterMs: null };

/** A session of the embedding program (code-mode.md §6). */
export class EmbeddedSession implements CodeSession {
  readonly sessionRef: string;
  readonly #setting: CodeSessionSetting;
  readonly #programs: ProgramSession;
  readonly #closing = new AbortController();
  /** Of those that are evaluated or wait, the last. */
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #run: Extract<ProgramRunEnd, { readonly kind: 'finished' }> | null = null;
  #closed: Promise<void> | null = null;

  constructor(setting: CodeSessionSetting) {
    this.#setting = setting;
    this.sessionRef = setting.sessionRef;
    this.#programs = openProgramSession({
      id: setting.sessionRef,
      domain: setting.domain,
      room: setting.room,
      restored: setting.restored,
      // Anyone who holds all sessions decides.
      idleMs: NEVER_MS,
      perform: async (run) => {
        const end = await setting.perform(run);
        if (end.kind === 'refused') throw new NotStarted(end);
        this.#run = end;
        return end;
      },
    });
  }

  async evaluate(program: string, options: EvaluateOptions = {}): Promise<Evaluation> {
    checkArguments('session.evaluate', {
      program: [program, programText],
      options: [options, evaluateOptions(this.#setting.longestMs)],
    });
    if (this.#closed !== null) return CLOSED;
    if (this.#waiting > WAITING_MAX) return { kind: 'refused', code: 'session_busy', retryAfterMs: RETRY_BUSY_MS };
    const questions = this.#setting.waits ? callerQuestions(options) : null;
    const end = this.#inTurn(async () =>
      this.#closed === null ? this.#evaluate(unwrapFence(program), options, questions?.asker) : CLOSED,
    );
    return questions?.next(end) ?? end;
  }

  async #evaluate(program: string, options: EvaluateOptions, asker: ApprovalAsker | undefined): Promise<Evaluation> {
    const { signal, timeoutMs, valueChars = VALUE_CHARS, onPrint, numbers = 'json' } = options;
    this.#setting.onIdle(null);
    this.#run = null;
    await this.#setting.settle();
    try {
      const end = await this.#programs.evaluate({
        program,
        valueChars,
        signal: signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(asker === undefined ? {} : { asker }),
      });
      if (onPrint !== undefined) for (const line of end.prints) callPrinter(onPrint, line);
      return describeEvaluation(end, this.#run, { program, numbers, tools: this.#setting.contents().tools });
    } catch (error) {
      if (!(error instanceof NotStarted)) throw error;
      const { code, retryAfterMs } = error.refusal;
      return { kind: 'refused', code, retryAfterMs };
    } finally {
      if (this.#setting.restsAtOnce) await this.#rest();
      else this.#setting.onIdle(() => this.#rest());
    }
  }

  async #rest(): Promise<void> {
    this.#setting.onIdle(null);
    await this.#programs.rest();
    await this.#setting.endDomain();
  }

  async #inTurn<T>(act: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const turn = this.#turn.then(act, act);
    this.#turn = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  async search(words: string, options: Parameters<CodeSession['search']>[1] = {}): Promise<RoomHits> {
    checkArguments('session.search', { words: [words, searchWords], options: [options, searchOptions] });
    const { in: kind = 'all', limit = SEARCH_LIMIT.default } = options;
    await this.#setting.settle();
    return Object(plainValue(searchRoom(this.#setting.contents(), { query: words, in: kind, limit }), 'json'));
  }

  async describe(names: readonly string[]): Promise<readonly RoomDescription[]> {
    checkArguments('session.describe', { names: [names, describedNames] });
    await this.#setting.settle();
    const described = describeInRoom(this.#setting.contents(), names).get('names') ?? [];
    const plain: unknown = plainValue(described, 'json');
    return Array.isArray(plain) ? plain : [];
  }

  prompt(options: Parameters<CodeSession['prompt']>[0] = {}): string {
    checkArguments('session.prompt', { options: [options, promptOptions] });
    return roomPrompt(this.#setting.contents(), options.maxBytes ?? PROMPT_BYTES.maximum);
  }

  async save(options: SealingOptions = {}): Promise<Uint8Array> {
    checkArguments('session.save', { options: [options, sealingOptions] });
    const { keys, tenant, identity } = this.#setting;
    if (options.key === undefined && keys === null)
      throw new TypeError('session.save: there is a key in its options, or stores.keys of the supervisor');
    this.#checkSaveable();
    // What is kept now is saved, whatever is evaluated while keys are asked for.
    const continuation = this.#programs.stored();
    const key = options.key === undefined ? await currentKey(keys, tenant) : { epoch: 0, key: options.key };
    if (key === null) throw new SessionNotSaved('key_unavailable');
    const sealed = sealSession({ ...identity, continuation }, tenant, key);
    if (sealed === null) throw new SessionNotSaved('too_large');
    return sealed;
  }

  #checkSaveable(): void {
    if (this.#closed !== null) throw new SessionNotSaved('session_closed');
    if (this.#waiting > 0) throw new SessionNotSaved('session_busy');
  }

  async reset(): Promise<void> {
    if (this.#closed !== null) return;
    await this.#inTurn(async () => this.#programs.reset());
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    await this.#turn;
    this.#setting.onIdle(null);
    await this.#programs.close();
    await this.#setting.endDomain();
    await this.#setting.close();
  }
}

/** Anyone who is slow is not waited for, and anyone who throws ends nothing. */
function callPrinter(onPrint: NonNullable<EvaluateOptions['onPrint']>, line: string): void {
  try {
    const answer: unknown = onPrint(line);
    if (answer instanceof Promise) answer.catch(() => undefined);
  } catch {
    // It is the listener's own.
  }
}

async function currentKey(keys: SealingKeys | null, tenant: string): Promise<SealKey | null> {
  const known = keys === null ? new Map<number, Uint8Array>() : await keysOf(keys, tenant);
  const epoch = Math.max(0, ...known.keys());
  const key = known.get(epoch);
  return key === undefined ? null : { epoch, key };
}

/** What a store of keys has for a tenant; nothing where it cannot be asked, or gives what are no keys. */
export async function keysOf(keys: SealingKeys, tenant: string): Promise<ReadonlyMap<number, Uint8Array>> {
  try {
    const known: unknown = await keys.tenantKeys(tenant);
    const found = known instanceof Map ? [...known] : [];
    return new Map(found.filter(([epoch, key]) => isEpoch(epoch) && key instanceof Uint8Array && key.length === 32));
  } catch {
    return new Map();
  }
}

function isEpoch(epoch: unknown): boolean {
  return typeof epoch === 'number' && Number.isSafeInteger(epoch) && epoch >= 1 && epoch < 2 ** 32;
}
