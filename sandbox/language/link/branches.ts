import { MOST_BRANCHES, PARALLEL } from '../../../contract/parallel.ts';
import type { BranchReply, BranchRequest, ParallelAnswer } from '../../../contract/sandbox-protocol.ts';
import { asBranch } from '../../runtime/branch.ts';
import { bindings } from '../../runtime/dynamic.ts';
import { ValueDecoder } from '../../runtime/encoding/decoder.ts';
import { ValueEncoder } from '../../runtime/encoding/encoder.ts';
import { DamagedEncoding, EncodingStop } from '../../runtime/encoding/world.ts';
import type { BranchCall, BranchOutcome } from '../../runtime/effects.ts';
import { isWorn, beginProgram } from '../../runtime/wear.ts';
import {
  badValue,
  FailSignal,
  fromHostError,
  LimitSignal,
  type LimitKind,
  LispError,
  ReturnSignal,
} from '../../runtime/errors.ts';
import { invoke } from '../../runtime/invoke.ts';
import { toArray } from '../../runtime/sequence.ts';
import { Vector, vector } from '../../runtime/values/vector.ts';
import { callPlaces } from '../call-place.ts';
import { storedFailure } from '../branch-failure.ts';
import { bindFromOutside, boundVariables } from './bindings.ts';
import type { CodePiece } from './code-block.ts';
import { comprehensionBodies } from './comprehension.ts';
import { codeText, definitionsOf, restoreDefinitions, withoutCode } from './continuation.ts';
import { encodingWorld } from './encoding-world.ts';
import { limitOf } from './exceptions.ts';
import type { Session } from './session.ts';

/**
 * Units of all texts of one operation: what one message carries (`MAX_ARGUMENTS_LENGTH` of sandbox/wire/messages.ts).
 */
const MOST_TEXT = 3_500_000;

/** Runs calls in isolates of their own; null where they cannot be had, or the calls cannot be written down. */
export function inIsolates(
  session: Session,
  shared: unknown,
  calls: readonly BranchCall[],
): readonly BranchOutcome[] | null {
  if (!session.mayBranch || calls.length < 2 || calls.length > MOST_BRANCHES) return null;
  const encoder = new ValueEncoder(encodingWorld(session), comprehensionBodies);
  const added: (readonly unknown[])[] = [];
  const written = messageOf(session, encoder, { shared, calls, added });
  if (written === null) return null;
  const answer = answerOf(session, written);
  if (answer === null || answer.reply === 'sequential') return null;
  if (answer.reply === 'limit')
    return [{ thrown: new LimitSignal('runtime_limit_exceeded', answer.message, answer.details) }];
  const known = encoder.known();
  return answer.branches.map((reply, index) => {
    for (const text of reply.printed) session.prints.write(text);
    const decode = (text: string): unknown =>
      new ValueDecoder(encodingWorld(session), session.effects, comprehensionBodies, [
        ...known,
        ...(added[index] ?? []),
      ]).decode(text);
    return outcomeOf(reply, decode);
  });
}

interface Operation {
  readonly shared: unknown;
  readonly calls: readonly BranchCall[];
  /** Filled: what each call's text gave numbers, so that its result can build on it. */
  readonly added: (readonly unknown[])[];
}

/** The definitions as they are, with what all calls share, once; then each call by itself. */
function messageOf(session: Session, encoder: ValueEncoder, { shared, calls, added }: Operation): string | null {
  try {
    const base = encoder.encode(
      vector([
        definitionsOf(session),
        vector(session.history),
        shared,
        vector(bindings.frames.length === 0 ? [] : boundVariables()),
        session.keepsError ? session.lastError : null,
      ]),
      MOST_TEXT,
    );
    let left = MOST_TEXT - base.text.length;
    const texts = calls.map(({ f, args }) => {
      const apart = encoder.encodeApart(vector([f, ...args]), left);
      added.push(apart.added);
      const text = codeText(session, apart.units) + apart.text;
      left -= text.length;
      return text;
    });
    const message = JSON.stringify({ shared: codeText(session, base.units) + base.text, calls: texts });
    return left < 0 || message.length > MOST_TEXT ? null : message;
  } catch (thrown) {
    if (thrown instanceof EncodingStop) return null;
    throw thrown;
  }
}

function answerOf(session: Session, message: string): ParallelAnswer | null {
  let text: string;
  try {
    text = session.callCapability(JSON.stringify({ name: PARALLEL, arguments: message }));
  } catch {
    return null;
  }
  const answer: ParallelAnswer = JSON.parse(text);
  return answer;
}

function outcomeOf(reply: BranchReply, decode: (text: string) => unknown): BranchOutcome {
  switch (reply.outcome) {
    case 'value':
      return { value: decode(reply.value) };
    case 'error':
      return { thrown: decode(reply.value) };
    case 'returned':
      return { thrown: new ReturnSignal(null) };
    case 'failed':
      return { thrown: new FailSignal(decode(reply.value)) };
    case 'limit':
      return { thrown: new LimitSignal(limitKind(reply.kind), reply.message, reply.details) };
  }
}

const LIMIT_KINDS: readonly LimitKind[] = [
  'memory_exceeded',
  'loop_limit_exceeded',
  'regex_limit_exceeded',
  'tool_call_limit_exceeded',
  'parallel_capacity_exceeded',
  'timeout',
  'invalid_java_string',
  'component_contract_error',
];

function limitKind(kind: string): LimitKind {
  return LIMIT_KINDS.find((known) => known === kind) ?? 'runtime_limit_exceeded';
}

/** Runs one branch in a session that has nothing but its bundle. */
export function runBranch(session: Session, { shared, call }: Pick<BranchRequest, 'shared' | 'call'>): BranchReply {
  const world = encodingWorld(session);
  const decoder = new ValueDecoder(world, session.effects, comprehensionBodies);
  const pieces = new Map<string, CodePiece>();
  session.callPlaces = (source) => callPlaces(session, { kind: 'branch', pieces }, source);
  const base = decoder.decode(withoutCode(session, shared, pieces));
  const [definitions, history, , bound, lastError = null] = base instanceof Vector ? toArray(base) : [];
  restoreDefinitions(session, definitions);
  if (bound instanceof Vector && bound.count > 0) bindFromOutside(toArray(bound));
  session.history = history instanceof Vector ? toArray(history) : [];
  session.lastError = lastError;
  const whole = decoder.decode(withoutCode(session, call, pieces));
  if (!(whole instanceof Vector)) throw new DamagedEncoding('no call');
  const known = [...decoder.table];
  const [f, ...args] = toArray(whole);
  let reply: (printed: readonly string[]) => BranchReply = (printed) => ({ outcome: 'returned', printed });
  beginProgram();
  const printed = session.prints.capture(() => {
    reply = called(session, known, () => asBranch(() => invoke(f, args)));
  });
  return reply(entriesOf(printed));
}

/** What a call comes to. Its value is written while prints are captured: lazy parts stay as they are. */
function called(
  session: Session,
  known: readonly unknown[],
  body: () => unknown,
): (printed: readonly string[]) => BranchReply {
  try {
    const value = written(session, known, body());
    const worn = isWorn() ? { is_worn: true } : {};
    return (printed) => ({ outcome: 'value', value, printed, ...worn });
  } catch (last) {
    return ended(session, known, limitOf(session) ?? fromHostError(last));
  }
}

function ended(
  session: Session,
  known: readonly unknown[],
  thrown: unknown,
): (printed: readonly string[]) => BranchReply {
  if (thrown instanceof ReturnSignal) return (printed) => ({ outcome: 'returned', printed });
  if (thrown instanceof FailSignal) {
    const value = writable(session, known, storedFailure(thrown.payload)) ?? written(session, known, null);
    return (printed) => ({ outcome: 'failed', value, printed });
  }
  if (thrown instanceof LimitSignal) {
    const { kind, message, details } = thrown;
    return (printed) => ({ outcome: 'limit', kind, message, details, printed });
  }
  if (!(thrown instanceof LispError)) throw thrown;
  const value = writable(session, known, thrown) ?? writable(session, known, withoutData(thrown));
  return value === null ? ended(session, known, tooLarge()) : (printed) => ({ outcome: 'error', value, printed });
}

/** An error whose data, or what it was caused by, is no value that leaves an isolate. */
function withoutData({ reason, className, message, facts }: LispError): LispError {
  return new LispError(reason, className, message, null, null, facts);
}

const tooLarge = (): LimitSignal => new LimitSignal('memory_exceeded', 'the result of a parallel branch is too large');

/** The text of what ended a branch; null where it has none, whatever the program put into it. */
function writable(session: Session, known: readonly unknown[], value: unknown): string | null {
  try {
    return written(session, known, value);
  } catch (thrown) {
    if (thrown instanceof LimitSignal || thrown instanceof LispError) return null;
    throw thrown;
  }
}

/** The text of a result, which builds on what the caller wrote. */
function written(session: Session, known: readonly unknown[], value: unknown): string {
  try {
    return new ValueEncoder(encodingWorld(session), comprehensionBodies, known).encode(value, MOST_TEXT).text;
  } catch (thrown) {
    if (!(thrown instanceof EncodingStop)) throw thrown;
    const { refusal } = thrown;
    if (refusal.kind === 'too_large') throw tooLarge();
    throw badValue(`The result of a parallel branch holds ${refusal.what}`);
  }
}

/** Texts of print calls, joined up to where an entry ends (language.md §18). */
function entriesOf(texts: readonly string[]): string[] {
  const entries: string[] = [];
  let pending = '';
  for (const text of texts) {
    pending += text;
    if (!pending.endsWith('\n')) continue;
    entries.push(pending);
    pending = '';
  }
  return pending === '' ? entries : [...entries, pending];
}
