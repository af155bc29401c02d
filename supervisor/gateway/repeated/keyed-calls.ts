import { createHmac, randomBytes } from 'node:crypto';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import { KEY_FILE_BYTES, keyFileName, type AuditDirectory } from '../audit/directory.ts';
import { openNextFiles } from '../audit/files.ts';
import { groupCommit, type LineWriter } from '../audit/group-commit.ts';
import {
  STORED_ANSWER_BYTES,
  callLine,
  forgetLine,
  readCallIndex,
  saltLine,
  type StoredAnswer,
  type KeyedCall,
} from './lines.ts';

/** Calls by their idempotency key, so that none is made twice (gateway.md §12). */
export interface KeyedCalls {
  /**
   * What is known of such a call. A new one is the caller's from here on, until it says what became of it; one that may
   * not begin is not noted.
   */
  ask(call: {
    readonly tool: string;
    readonly key: string;
    readonly input: JsonObject;
    readonly runRef: string;
    readonly mayBegin: boolean;
  }): KeyState;
  /** Writes what waits; where nothing was written the directory is as it was. */
  close(): Promise<void>;
}

export type KeyState =
  | { readonly kind: 'new'; readonly ticket: KeyTicket }
  | { readonly kind: 'absent' }
  /** It runs; it has had other arguments; there are too many; nothing can be written any more. */
  | { readonly kind: 'running' | 'other_arguments' | 'full' | 'fenced' }
  /** It ended; `isKnown`: how is known, whether or not its answer was kept. */
  | {
      readonly kind: 'ended';
      readonly isKnown: boolean;
      readonly runRef: string;
      readonly answer: StoredAnswer | null;
    };

/** One new call. */
export interface KeyTicket {
  /** Whether it is on record that it begins, so that it may. */
  begins(): Promise<boolean>;
  /** It ended; null: nobody knows how. */
  ended(answer: StoredAnswer | null): Promise<void>;
  /** None of it ran; no more after `ended`. */
  withdraw(): Promise<void>;
}

export interface KeyedCallsOptions {
  /** Where it is kept; null: in memory alone. */
  readonly directory: AuditDirectory | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called once, when nothing can be written any more. */
  readonly onFence: () => void;
  readonly bounds?: Partial<Record<keyof typeof KEYED_BOUNDS, number>>;
}

/** How many calls are known and for how long; bytes of all answers, beyond which the oldest are dropped. */
export const KEYED_BOUNDS = { calls: 100_000, retentionMs: 86_400_000, answerBytes: 33_554_432 } as const;

const LINE_END = 0x0a;
const IN_MEMORY: LineWriter = { append: async () => true, isFenced: () => false, close: async () => undefined };

/**
 * Null where what was kept cannot be read, or nothing can be written. The directory stays its owner's to close, behind
 * this.
 */
export async function openKeyedCalls({
  directory: place,
  now,
  onFence,
  bounds: input,
}: KeyedCallsOptions): Promise<KeyedCalls | null> {
  const bounds = { ...KEYED_BOUNDS, ...input };
  const read = place === null ? undefined : await readIndexes(place);
  if (read === null) return null;
  const salt = read?.salt ?? randomBytes(32).toString('hex');
  const known = rememberedCalls(read?.calls ?? new Map(), now, bounds);
  const head = (): readonly Buffer[] => [saltLine(salt), ...known.all().map(callLine)];
  const files =
    place === null
      ? null
      : await openNextFiles(
          place.directory,
          place.keys,
          { maxFileBytes: KEY_FILE_BYTES, maxRetainedFiles: 1 },
          { nameOf: keyFileName, head },
        );
  if (files === null && place !== null) return null;
  const writer = files === null ? IN_MEMORY : groupCommit(files, onFence);
  const digest = (...parts: readonly string[]): string =>
    createHmac('sha256', salt).update(JSON.stringify(parts)).digest('hex');

  function ticketOf(call: KeyedCall): KeyTicket {
    let isOver = false;
    let isWritten = false;
    return {
      begins: async () => {
        isWritten = true;
        return writer.append(callLine(call));
      },
      ended: async (answer) => {
        isOver = true;
        const end: KeyedCall = {
          ...call,
          state: answer === null ? 'unknown' : 'ended',
          answer: answer !== null && utf8Length(answer.result) <= STORED_ANSWER_BYTES ? answer : null,
        };
        known.set(end);
        await writer.append(callLine(end));
      },
      withdraw: async () => {
        if (isOver) return;
        isOver = true;
        known.delete(call.call);
        if (isWritten) await writer.append(forgetLine(call.call));
      },
    };
  }

  return {
    ask: ({ tool, key, input: args, runRef, mayBegin }) => {
      const id = digest(tool, key);
      const before = known.get(id);
      const call: KeyedCall = {
        call: id,
        given: digest(canonicalJson(args)),
        runRef,
        begunAt: now(),
        state: 'running',
        answer: null,
      };
      if (before === undefined) {
        if (!mayBegin) return { kind: 'absent' };
        if (writer.isFenced()) return { kind: 'fenced' };
        if (!known.hasRoom()) return { kind: 'full' };
        known.set(call);
        return { kind: 'new', ticket: ticketOf(call) };
      }
      if (before.given !== call.given) return { kind: 'other_arguments' };
      if (before.state === 'running') return { kind: 'running' };
      return { kind: 'ended', isKnown: before.state === 'ended', runRef: before.runRef, answer: before.answer };
    },
    close: async () => {
      await writer.close();
      await files?.close();
    },
  };
}

/**
 * Undefined: there is none; null: it cannot be read. A file that follows another may have been started and not been
 * filled.
 */
async function readIndexes({ directory, keys }: AuditDirectory): Promise<ReturnType<typeof readCallIndex> | undefined> {
  const files: Uint8Array[] = [];
  for (const { sequence } of keys) {
    const read = await directory.readFile(keyFileName(sequence), KEY_FILE_BYTES);
    if (!read.ok) return null;
    files.push(read.value);
  }
  const isWritten = files.some((bytes) => bytes.includes(LINE_END));
  return isWritten ? readCallIndex(files) : undefined;
}

interface Remembered {
  get(id: string): KeyedCall | undefined;
  set(call: KeyedCall): void;
  delete(id: string): void;
  hasRoom(): boolean;
  all(): readonly KeyedCall[];
}

/** In the order of their beginning; what is too old is forgotten, what still runs never. */
function rememberedCalls(
  read: ReadonlyMap<string, KeyedCall>,
  now: () => number,
  {
    calls: most,
    retentionMs,
    answerBytes,
  }: { readonly calls: number; readonly retentionMs: number; readonly answerBytes: number },
): Remembered {
  const calls = new Map<string, KeyedCall>();
  let bytes = 0;
  const size = ({ answer }: KeyedCall): number => (answer === null ? 0 : utf8Length(answer.result));

  function put(call: KeyedCall): void {
    const before = calls.get(call.call);
    bytes += size(call) - (before === undefined ? 0 : size(before));
    calls.set(call.call, call);
  }
  function remove(id: string): void {
    const before = calls.get(id);
    if (before === undefined) return;
    bytes -= size(before);
    calls.delete(id);
  }
  function dropOld(): void {
    const oldest = now() - retentionMs;
    for (const { call, begunAt, state } of calls.values()) {
      if (begunAt > oldest) break;
      if (state !== 'running') remove(call);
    }
  }
  function dropAnswers(): void {
    for (const call of calls.values()) {
      if (bytes <= answerBytes) return;
      if (call.answer !== null) put({ ...call, answer: null });
    }
  }

  for (const call of [...read.values()].toSorted((left, right) => left.begunAt - right.begunAt)) put(call);
  dropOld();
  dropAnswers();
  return {
    get: (id) => {
      dropOld();
      return calls.get(id);
    },
    set: (call) => {
      put(call);
      dropAnswers();
    },
    delete: remove,
    hasRoom: () => calls.size < most,
    all: () => [...calls.values()],
  };
}
