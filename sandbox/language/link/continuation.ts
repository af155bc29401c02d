import type { DefinitionSize } from '../../../contract/sandbox-protocol.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import { TextReader } from '../../runtime/encoding/text-reader.ts';
import { ValueDecoder } from '../../runtime/encoding/decoder.ts';
import { ValueEncoder } from '../../runtime/encoding/encoder.ts';
import { DamagedEncoding, EncodingStop, type EncodingRefusal } from '../../runtime/encoding/world.ts';
import { WeakReference } from '../../runtime/intrinsics.ts';
import { EMPTY_HIERARCHY } from '../../runtime/values/hierarchy.ts';
import { LispMap } from '../../runtime/values/map.ts';
import { Var } from '../../runtime/values/var.ts';
import { Vector, vector } from '../../runtime/values/vector.ts';
import { USER_NAMESPACE, type Definition } from '../analyser/surroundings.ts';
import { sourceName } from '../stack.ts';
import { codeBlock, codeOfUnits, mergeBlock, type CodePiece } from './code-block.ts';
import { comprehensionBodies } from './comprehension.ts';
import { encodingWorld } from './encoding-world.ts';
import { instantiate } from './instantiate.ts';
import { isOwnNamespace } from './own-namespace.ts';
import { ownVariables, visitOwnVariables } from './own-variables.ts';
import type { Session } from './session.ts';
import { isAsWritten, standsAlone, writtenNow } from './written.ts';
import type { WrittenDefinitions } from './written-definitions.ts';

/** What a session keeps between evaluations, as text (language.md §12). */
export interface EncodedContinuation {
  readonly definitions: string;
  /** Newest first; each builds on the texts before it. */
  readonly history: readonly string[];
}

export interface ContinuationSizes {
  readonly memory_bytes: number;
  readonly history_bytes: number;
}

export interface WrittenContinuation extends EncodedContinuation, ContinuationSizes {
  /** Whether the definitions are the text that the session wrote, or was made of, before. */
  readonly isUnchanged: boolean;
}

/** Which part did not fit into its limit, or could not be written at all. */
export type ContinuationRefusal =
  | { readonly kind: 'memory_exceeded' | 'history_exceeded' }
  | { readonly kind: 'not_retainable'; readonly what: string };

/**
 * Writes definitions and history of a session. Sizes are UTF-8 bytes of the texts; `limits` bound the definitions, and
 * the history in all. Deterministic: equal sessions give equal texts, and a restored one gives the text it was made of.
 */
export function encodeContinuation(
  session: Session,
  limits: ContinuationSizes,
): WrittenContinuation | ContinuationRefusal {
  const last = lastWritten(session);
  const stands = last === null || session.history.every(standsAlone) ? [] : last.known;
  const encoder = new ValueEncoder(encodingWorld(session), comprehensionBodies, stands);
  const definitions = last ?? writeDefinitions(session, encoder, limits.memory_bytes);
  if ('kind' in definitions) return definitions.kind === 'too_large' ? { kind: 'memory_exceeded' } : definitions;
  if (definitions.bytes > limits.memory_bytes) return { kind: 'memory_exceeded' };
  const history: string[] = [];
  let left = limits.history_bytes;
  for (const value of session.history) {
    const written = section(session, encoder, value, left);
    if ('kind' in written) return written.kind === 'too_large' ? { kind: 'history_exceeded' } : written;
    history.push(written.text);
    left -= written.bytes;
  }
  return {
    definitions: definitions.text,
    history,
    memory_bytes: definitions.bytes,
    history_bytes: limits.history_bytes - left,
    isUnchanged: last !== null,
  };
}

function lastWritten(session: Session): WrittenDefinitions | null {
  const last = session.written?.deref();
  return last !== undefined && isAsWritten(session, last) ? last : null;
}

const NOTHING = { text: '', bytes: 0 };

function writeDefinitions(
  session: Session,
  encoder: ValueEncoder,
  limit: number,
): Pick<WrittenDefinitions, 'text' | 'bytes'> | EncodingRefusal {
  if (isEmpty(session)) return NOTHING;
  const written = section(session, encoder, definitionsOf(session), limit);
  if ('kind' in written) return written;
  session.written = new WeakReference(writtenNow(session, { ...written, known: encoder.known() }));
  return written;
}

function isEmpty(session: Session): boolean {
  return (
    definedCount(session) === 0 &&
    session.current === USER_NAMESPACE &&
    session.effects.hierarchy === EMPTY_HIERARCHY &&
    !hasOwnVariables(session)
  );
}

/** How many names the session has defined. */
export function definedCount({ definitions }: Session): number {
  let count = 0;
  for (const table of definitions.values()) count += table.size;
  return count;
}

function hasOwnVariables(session: Session): boolean {
  let isOne = false;
  visitOwnVariables(session, () => {
    isOne = true;
  });
  return isOne;
}

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Of a long text most often its length, which one pattern finds out six times faster than looking at each unit. */
function bytesOf(text: string): number {
  return text.length > 10_000 && !BEYOND_ASCII.test(text) ? text.length : utf8Length(text);
}

/** How much is written to find out what is large, as a multiple of what all definitions may have. */
const MEASURED = 4;

/** The largest definitions, each written by itself; what is beyond `limit` counts as that. */
export function largestDefinitions(session: Session, count: number, limit: number): readonly DefinitionSize[] {
  const sizes: DefinitionSize[] = [];
  let left = limit * MEASURED;
  // Values that are large by themselves are mostly the latest ones.
  for (const { name, value } of ownVariables(session).reverse()) {
    if (left <= 0) break;
    const encoder = new ValueEncoder(encodingWorld(session), comprehensionBodies, []);
    const written = section(session, encoder, value, limit);
    const bytes = 'kind' in written ? (written.kind === 'too_large' ? limit : 0) : written.bytes;
    left -= bytes;
    sizes.push({ name, bytes });
  }
  return sizes.toSorted((one, other) => other.bytes - one.bytes).slice(0, count);
}

/** The code of the units whose functions a value holds, then the value. */
function section(
  session: Session,
  encoder: ValueEncoder,
  value: unknown,
  limit: number,
): { readonly text: string; readonly bytes: number; readonly holders: readonly object[] } | EncodingRefusal {
  try {
    const { text: body, units, holders } = encoder.encode(value, limit);
    const text = codeText(session, units) + body;
    const bytes = bytesOf(text);
    return bytes > limit ? { kind: 'too_large' } : { text, bytes, holders };
  } catch (thrown) {
    if (thrown instanceof EncodingStop) return thrown.refusal;
    throw thrown;
  }
}

/** `count:`, then for each block of the program's own code its name and its text, each behind its length. */
export function codeText(session: Session, units: ReadonlySet<string>): string {
  const indexes = new Map<string, Set<number>>();
  for (const unit of units) {
    const colon = unit.lastIndexOf(':');
    const block = unit.slice(0, colon);
    if (!session.blocks.has(block)) continue;
    const known = indexes.get(block) ?? new Set();
    known.add(Number(unit.slice(colon + 1)));
    indexes.set(block, known);
  }
  const texts = [...indexes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, wanted]) => {
      const code = codeOfUnits(parsedBlock(session, name), wanted);
      return `${name.length}:${name}${code.length}:${code}`;
    });
  return `${texts.length}:${texts.join('')}`;
}

function parsedBlock(session: Session, name: string): ReturnType<typeof codeBlock> {
  const block = session.blocks.get(name);
  if (block === undefined) throw new TypeError('the code of a function that runs is known');
  if (typeof block !== 'string') return block;
  const parsed = codeBlock(name, block);
  session.blocks.set(name, parsed);
  return parsed;
}

/** Parts of what `definitionsOf` says of a definition; one more where its namespace is not `user`. */
const FACTS = 6;

/**
 * All that definitions are, as one value: counter of `gensym`, global hierarchy, facts for the compiler, variables, and
 * the current namespace where it is not `user`.
 */
export function definitionsOf(session: Session): Vector {
  const { effects, definitions, numbers, current } = session;
  const facts = [...definitions]
    .filter(([namespace]) => isOwnNamespace(session, namespace))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([namespace, table]) => factsOf(session, namespace, table));
  const hierarchy = effects.hierarchy === EMPTY_HIERARCHY ? null : effects.hierarchy;
  return vector([
    numbers.last,
    hierarchy,
    vector(facts),
    vector(ownVariables(session)),
    ...(current === USER_NAMESPACE ? [] : [current]),
  ]);
}

function factsOf(session: Session, namespace: string, table: ReadonlyMap<string, Definition>): Vector[] {
  return [...table.values()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, kind, isPrivate, arities }) =>
      vector([
        name,
        kind,
        isPrivate,
        arities === null ? null : vector(arities.fixed),
        arities?.variadicFrom ?? null,
        session.definitionSources.get(`${namespace}/${name}`) ?? null,
        ...(namespace === USER_NAMESPACE ? [] : [namespace]),
      ]),
    );
}

/**
 * Puts definitions and history into a session that has none yet. Answers null, or what is wrong with the texts, which
 * come from outside and may be anything; the session is then of no further use.
 */
export function restoreContinuation(session: Session, { definitions, history }: EncodedContinuation): string | null {
  if (definedCount(session) > 0 || session.history.length > 0) return 'the isolate has a continuation already';
  const decoder = new ValueDecoder(encodingWorld(session), session.effects, comprehensionBodies);
  try {
    if (definitions !== '') restoreDefinitions(session, decoder.decode(definitions, linkCode(session, definitions)));
    const { holders, table: known } = decoder;
    const { length } = known;
    session.history = history.map((text) => decoder.decode(text, linkCode(session, text)));
    known.length = length;
    if (definitions !== '')
      session.written = new WeakReference(
        writtenNow(session, { text: definitions, bytes: bytesOf(definitions), known, holders }),
      );
    return null;
  } catch (thrown) {
    // Whatever its parts make of a text that no session wrote, down to a stack that runs out, is its own fault.
    return thrown instanceof DamagedEncoding ? thrown.message : 'it cannot be read';
  }
}

/**
 * A text without the code that is before its value, which is linked. `pieces`: filled, by the names by which stacks
 * have them; absent: stacks have no names for them.
 */
export function withoutCode(session: Session, text: string, pieces?: Map<string, CodePiece>): string {
  return text.slice(linkCode(session, text, pieces));
}

/** Links the code that is before a value; answers where the value begins. */
function linkCode(session: Session, text: string, pieces?: Map<string, CodePiece>): number {
  const reader = new TextReader(text);
  for (let left = reader.count(); left > 0; left -= 1) {
    const name = reader.take(reader.count());
    const code = reader.take(reader.count());
    instantiate(session, pieces === undefined ? code : namedPiece(pieces, { block: name, code }));
    const further = codeBlock(name, code);
    if (session.blocks.has(name)) mergeBlock(parsedBlock(session, name), further);
    else session.blocks.set(name, further);
  }
  return reader.at;
}

function namedPiece(pieces: Map<string, CodePiece>, piece: CodePiece): string {
  const name = `${piece.block}.${pieces.size}`;
  pieces.set(name, piece);
  return `${piece.code}\n//# sourceURL=${sourceName(name)}`;
}

export function restoreDefinitions(session: Session, value: unknown): void {
  const [lastNumber, hierarchy, facts, variables, current = USER_NAMESPACE] =
    value instanceof Vector ? value.toArray() : [];
  if (
    typeof lastNumber !== 'number' ||
    !(facts instanceof Vector) ||
    !(variables instanceof Vector) ||
    typeof current !== 'string'
  )
    throw new DamagedEncoding('no definitions');
  session.numbers.last = lastNumber;
  if (hierarchy instanceof LispMap) session.effects.changeHierarchy(hierarchy);
  const definitions = new Map<string, Map<string, Definition>>();
  for (let i = 0; i < facts.count; i += 1) {
    const fact = facts.at(i);
    if (!(fact instanceof Vector) || fact.count < FACTS || fact.count > FACTS + 1)
      throw new DamagedEncoding('no definition');
    const name = fact.at(0);
    const kind = fact.at(1);
    const source = fact.at(5);
    const namespace = fact.count > FACTS ? fact.at(FACTS) : USER_NAMESPACE;
    if (typeof name !== 'string' || !isKind(kind) || typeof namespace !== 'string')
      throw new DamagedEncoding('no definition');
    const table = definitions.get(namespace) ?? new Map<string, Definition>();
    definitions.set(namespace, table);
    table.set(name, { name, kind, isPrivate: fact.at(2) === true, arities: aritiesOf(fact.at(3), fact.at(4)) });
    if (typeof source === 'string') session.definitionSources.set(`${namespace}/${name}`, source);
  }
  session.definitions = definitions;
  session.current = current;
  for (let i = 0; i < variables.count; i += 1)
    if (!(variables.at(i) instanceof Var)) throw new DamagedEncoding('no variable');
}

function aritiesOf(fixed: unknown, variadicFrom: unknown): Definition['arities'] {
  return fixed instanceof Vector
    ? { fixed: fixed.toArray().map(Number), variadicFrom: typeof variadicFrom === 'number' ? variadicFrom : null }
    : null;
}

const KINDS: readonly Definition['kind'][] = ['function', 'constant', 'multimethod', 'record', 'protocol', 'declared'];

function isKind(value: unknown): value is Definition['kind'] {
  return KINDS.some((kind) => kind === value);
}
