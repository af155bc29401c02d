import { typeName } from '../classes.ts';
import { LispError } from '../errors.ts';
import { functionFacts, type FunctionFacts } from '../functions.ts';
import { Atom, Delay, Reduced, Volatile } from '../values/atom.ts';
import { DateFormatter } from '../values/date-formatter.ts';
import { LazySeq } from '../values/lazy-seq.ts';
import { MultiMethod } from '../values/multimethod.ts';
import { Protocol } from '../values/protocol.ts';
import { RecordType } from '../values/record.ts';
import { Reified } from '../values/reified.ts';
import { Regex } from '../regex/regex.ts';
import { TextMatcher } from '../regex/text-matcher.ts';
import { SharedCell } from '../values/shared-cell.ts';
import { Var } from '../values/var.ts';
import { vector } from '../values/vector.ts';
import { type Encoding, refuse } from './encoding.ts';
import { makerNamed } from './makers.ts';
import { STATES, TAGS } from './tags.ts';

/** Values that are equal to themselves alone. */
export function encodeReference(encoding: Encoding, value: object): void {
  const tag = changeableTag(value);
  if ((tag === null && encodeShared(encoding, value)) || encoding.stands(value)) return;
  encoding.identity(value);
  if (tag !== null) encoding.later(tag, value);
  else if (value instanceof Reduced) {
    encoding.write(TAGS.reduced);
    encoding.next([value.value]);
  } else if (value instanceof MultiMethod) {
    encoding.later(TAGS.multimethod, value);
    encoding.text(value.name);
    encoding.next([value.dispatch, value.defaultValue, value.hierarchy]);
  } else if (value instanceof Protocol) {
    encoding.later(TAGS.protocol, value);
    encoding.text(value.namespace);
    encoding.text(value.name);
    encoding.next([value.methods, value.viaMetadata]);
  } else if (value instanceof RecordType) {
    writeNamed(encoding, TAGS.recordType, value.name);
    encoding.next([vector(value.fields), value.methods]);
  } else if (value instanceof Reified) encodeReified(encoding, value);
  else if (value instanceof TextMatcher) {
    encoding.later(TAGS.matcher, value);
    encoding.next([value.pattern, value.text]);
  } else if (value instanceof LispError) encodeException(encoding, value);
  else if (value instanceof Regex) writeNamed(encoding, TAGS.regex, value.source);
  else if (value instanceof DateFormatter) writeNamed(encoding, TAGS.formatter, value.name);
  else writeNamed(encoding, TAGS.program, encoding.world.programSource(value) ?? refuse(typeName(value)));
}

/** The tag of what can change and has no name. */
function changeableTag(value: object): string | null {
  if (value instanceof Atom) return TAGS.atom;
  if (value instanceof Volatile) return TAGS.volatile;
  if (value instanceof Delay) return TAGS.delay;
  return value instanceof SharedCell ? TAGS.cell : null;
}

function encodeReified(encoding: Encoding, { className, methods, meta }: Reified): void {
  if (meta !== null) encoding.write(TAGS.metadata);
  writeNamed(encoding, TAGS.reified, className);
  encoding.next([methods], meta);
}

function writeNamed(encoding: Encoding, tag: string, name: string): void {
  encoding.write(tag);
  encoding.text(name);
}

export function encodeVariable(encoding: Encoding, value: Var): void {
  if (encoding.stands(value)) return;
  encoding.identity(value);
  if (encoding.world.isOwn(value)) encoding.later(TAGS.variable, value);
  else encoding.write(TAGS.variable);
  encoding.text(value.namespace);
  encoding.text(value.name);
}

/** What every isolate of the mission has under a name. */
function encodeShared(encoding: Encoding, value: object): boolean {
  const reference = encoding.world.exportedAs(value);
  const name = reference ?? encoding.world.nameOf(value);
  if (name === null) return false;
  encoding.identity(value);
  writeNamed(encoding, reference === null ? TAGS.named : TAGS.exported, name);
  return true;
}

function encodeException(encoding: Encoding, { reason, className, message, data, cause, facts }: LispError): void {
  encoding.write(TAGS.exception);
  encoding.text(reason);
  encoding.text(className);
  for (const part of [message, facts?.operation, facts?.expected, facts?.given, facts?.word])
    encoding.scalar(part ?? null);
  encoding.scalar(facts === null ? false : (facts.count ?? null));
  encoding.next([data, cause]);
}

export function encodeFunction(encoding: Encoding, value: object): void {
  const facts = functionFacts(value);
  const isPlainBuiltin =
    facts !== null && facts.captures === null && facts.meta === null && facts.unit.startsWith(BUILTIN);
  if (isPlainBuiltin) {
    encoding.identity(value);
    writeNamed(encoding, TAGS.builtin, facts.unit.slice(BUILTIN.length));
    return;
  }
  if (encodeShared(encoding, value) || encoding.stands(value)) return;
  if (facts === null) refuse(UNDER_WAY);
  encoding.identity(value);
  if (facts.meta !== null) encoding.write(TAGS.metadata);
  encodeCode(encoding, facts);
  encoding.next(facts.captures ?? [], facts.meta);
}

const BUILTIN = 'builtin:';
const EXPORT = 'export:';
const JAVA = 'java:';
const TOOLS = ['tool:', 'tool!:'] as const;
const UNDER_WAY = 'a function of the runtime that is under way';

function encodeCode(encoding: Encoding, { unit, captures }: FunctionFacts): void {
  if (unit.startsWith(BUILTIN)) {
    const name = unit.slice(BUILTIN.length);
    if (captures !== null && makerNamed(encoding.world, name) === null) refuse(`a function that ${name} made`);
    writeNamed(encoding, captures === null ? TAGS.builtin : TAGS.derived, name);
    if (captures !== null) encoding.write(`${captures.length}:`);
  } else if (unit.startsWith(EXPORT)) writeNamed(encoding, TAGS.exported, unit.slice(EXPORT.length));
  else if (unit.startsWith(JAVA) || TOOLS.some((prefix) => unit.startsWith(prefix)))
    writeNamed(encoding, TAGS.named, unit);
  else {
    const colon = unit.lastIndexOf(':');
    if (captures === null || colon < 0) refuse(UNDER_WAY);
    encoding.unit(unit);
    writeNamed(encoding, TAGS.unit, unit.slice(0, colon));
    encoding.write(`${unit.slice(colon + 1)}:${captures.length}:`);
  }
}

/** What something changeable holds now. */
export function encodeContent(encoding: Encoding, holder: object): void {
  if (holder instanceof LazySeq) encodeLazyContent(encoding, holder);
  else if (holder instanceof Var) encoding.next([holder.value, holder.meta]);
  else if (holder instanceof Atom) encoding.next([holder.value, holder.validator, holder.meta]);
  else if (holder instanceof Volatile || holder instanceof SharedCell) encoding.next([holder.value]);
  else if (holder instanceof MultiMethod) encoding.next([holder.methods, holder.preferences]);
  else if (holder instanceof Protocol) encoding.next([holder.implementations]);
  else if (holder instanceof TextMatcher)
    encoding.next([holder.places === null ? null : vector(holder.places), holder.from]);
  else if (holder instanceof Delay) {
    const { body, value, failure } = holder;
    encoding.write(body !== null ? STATES.waiting : failure === null ? STATES.done : STATES.other);
    encoding.next([body ?? failure ?? value]);
  }
}

/** All that `encodeContent` looks at: as long as that is the same, so is what it writes. */
export function visitContent(holder: object | undefined, visit: (part: unknown) => void): void {
  if (holder instanceof Atom) {
    visit(holder.value);
    visit(holder.validator);
    visit(holder.meta);
  } else if (holder instanceof LazySeq) {
    // Its captures are those of its body as long as it has one.
    visit(holder.body ?? holder.forced);
    visit(holder.result);
  } else if (holder instanceof Var) {
    visit(holder.value);
    visit(holder.meta);
  } else if (holder instanceof Volatile || holder instanceof SharedCell) visit(holder.value);
  else if (holder instanceof MultiMethod) {
    visit(holder.methods);
    visit(holder.preferences);
  } else if (holder instanceof Protocol) visit(holder.implementations);
  else if (holder instanceof TextMatcher) {
    visit(holder.places);
    visit(holder.from);
  } else if (holder instanceof Delay) {
    visit(holder.body);
    visit(holder.failure ?? holder.value);
  } else throw new TypeError('something changeable of no known kind');
}

function encodeLazyContent(encoding: Encoding, { body, captures, result, forced }: LazySeq): void {
  if (body === null) {
    encoding.write(forced ? STATES.done : STATES.other);
    encoding.next([result]);
    return;
  }
  if (functionFacts(body) !== null) {
    encoding.write(STATES.waiting);
    encoding.next([body]);
    return;
  }
  encoding.write(STATES.waitingBody);
  encoding.text(encoding.bodyName(body) ?? refuse('a lazy seq that is under way'));
  encoding.write(`${captures.length}:`);
  encoding.next(captures);
}
