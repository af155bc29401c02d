import { refuseOuter } from './branch.ts';
import { typeName } from './classes.ts';
import { badState, badValue, LispError, mismatch, wrongArgument } from './errors.ts';
import { isFunction, type LispFunction } from './invoke.ts';
import { classOf, isSubclass, superclassChain } from './java/class-values.ts';
import { isInterface } from './java/class-relations.ts';
import { metaOf } from './metadata.ts';
import { ownMethods } from './own-methods.ts';
import { EMPTY_MAP } from './values/array-map.ts';
import { ClassValue } from './values/java.ts';
import { Keyword } from './values/keyword.ts';
import { ABSENT, LispMap } from './values/map.ts';
import { Protocol } from './values/protocol.ts';
import { RecordType } from './values/record.ts';
import { symbol } from './values/symbol.ts';
import { Vector } from './values/vector.ts';

/** A value that must be a protocol. */
export function protocolOf(operation: string, value: unknown): Protocol {
  if (value instanceof Protocol) return value;
  throw mismatch(value, `${operation}: a protocol is needed, not ${typeName(value)}`);
}

/**
 * What a class was extended with: its own, its superclasses', the most special interface's, Object's; null for nothing.
 */
function extensionFor({ implementations }: Protocol, className: ClassValue | null): LispMap | null {
  if (className === null) return mapOrNull(implementations.lookup(null));
  for (const above of superclassChain(className)) {
    const found = implementations.lookup(above);
    if (found instanceof LispMap) return found;
  }
  let best: ClassValue | null = null;
  let object: ClassValue | null = null;
  implementations.visit((candidate) => {
    if (!(candidate instanceof ClassValue)) return;
    if (candidate.name === 'java.lang.Object') object = candidate;
    else if (
      isInterface(candidate.name) &&
      isSubclass(candidate, className) &&
      (best === null || isSubclass(best, candidate))
    )
      best = candidate;
  });
  const chosen = best ?? object;
  return chosen === null ? null : mapOrNull(implementations.lookup(chosen));
}

function mapOrNull(value: unknown): LispMap | null {
  return value instanceof LispMap ? value : null;
}

/** What was found for a class last, as long as nothing is extended. */
const found = new WeakMap<
  Protocol,
  { readonly of: LispMap; readonly byClass: Map<ClassValue | null, LispMap | null> }
>();

function extension(protocol: Protocol, value: unknown): LispMap | null {
  let known = found.get(protocol);
  if (known === undefined || known.of !== protocol.implementations) {
    known = { of: protocol.implementations, byClass: new Map() };
    found.set(protocol, known);
  }
  const className = classOf(value);
  let methods = known.byClass.get(className);
  if (methods === undefined) {
    methods = extensionFor(protocol, className);
    known.byClass.set(className, methods);
  }
  return methods;
}

/** The function that a call of a protocol's method runs for its first argument. */
export function implementation(protocolValue: unknown, method: Keyword, target: unknown): LispFunction {
  const protocol = protocolOf(method.name, protocolValue);
  const own = ownMethods(target)?.lookup(protocol);
  if (own instanceof LispMap) {
    const f = own.lookup(method);
    if (isFunction(f)) return f;
    throw new LispError(
      'value_error',
      'java.lang.AbstractMethodError',
      `${className(target)} does not implement the method ${method.name} of the protocol ${protocol.name}`,
    );
  }
  const lispFunction = protocol.viaMetadata ? metadataMethod(protocol, method, target) : null;
  if (lispFunction !== null) return lispFunction;
  const f = extension(protocol, target)?.lookup(method) ?? ABSENT;
  if (isFunction(f)) return f;
  throw badValue(
    `No implementation of method: :${method.name} of protocol: #'${protocol.namespace}/${protocol.name} found for class: ${className(target)}`,
  );
}

function className(value: unknown): string {
  return classOf(value)?.name ?? 'nil';
}

function metadataMethod(protocol: Protocol, method: Keyword, target: unknown): LispFunction | null {
  const meta = metaOf(target);
  const f = meta instanceof LispMap ? meta.lookup(symbol(protocol.namespace, method.name)) : null;
  return isFunction(f) ? f : null;
}

/** `satisfies?`: whether a value has an implementation, of its own or by extension. */
export function satisfies(protocolValue: unknown, value: unknown): boolean {
  const protocol = protocolOf('satisfies?', protocolValue);
  if (ownMethods(value)?.lookup(protocol) instanceof LispMap || extension(protocol, value) !== null) return true;
  if (!protocol.viaMetadata) return false;
  return protocol.methods.visit(
    (method) => method instanceof Keyword && metadataMethod(protocol, method, value) !== null,
  );
}

/** `extends?`: whether a class itself implements a protocol or was extended to it. */
export function extendsProtocol(protocolValue: unknown, type: unknown): boolean {
  const protocol = protocolOf('extends?', protocolValue);
  if (type instanceof RecordType && type.methods.lookup(protocol) instanceof LispMap) return true;
  return protocol.implementations.lookup(type) !== ABSENT;
}

/** Extends a class, or nil, to a protocol; what it had of it before is gone. */
export function extendProtocol(type: unknown, protocolValue: unknown, methods: unknown): null {
  const protocol = protocolOf('extend', protocolValue);
  if (type !== null && !(type instanceof ClassValue)) throw wrongArgument('extend', 1, 'a class or nil', type);
  if (!(methods instanceof LispMap)) throw wrongArgument('extend', 3, 'a map of functions', methods);
  if (protocol.isClosed)
    throw badState(
      `The protocol ${protocol.namespace}/${protocol.name} of a component cannot be extended from outside`,
    );
  refuseOuter(protocol.birth, 'A protocol');
  if (type instanceof RecordType && type.methods.lookup(protocol) instanceof LispMap) {
    throw badValue(
      `class ${type.name} already directly implements ${protocol.namespace}/${protocol.name} for protocol:#'${protocol.namespace}/${protocol.name}`,
    );
  }
  protocol.implementations = protocol.implementations.assoc(type, methods);
  return null;
}

/** Checks what a record or `reify` implements of one protocol; `counts`: those of each method's arguments. */
export function refuseForeignMethods(
  protocol: Protocol,
  methods: readonly (readonly [Keyword, readonly number[]])[],
): void {
  for (const [method, counts] of methods) {
    const declared = protocol.methods.lookup(method);
    const known = declared instanceof Vector ? declared.toArray() : [];
    if (!counts.every((count) => known.includes(count)))
      throw badValue(`Can't define method not in interfaces: ${method.name}`);
  }
}

/** A protocol as `defprotocol` makes it. What extended the one it replaces extends it too. */
export function makeProtocol(
  facts: {
    readonly namespace: string;
    readonly name: string;
    readonly methods: LispMap;
    readonly viaMetadata: boolean;
  },
  before: unknown,
): Protocol {
  return new Protocol({ ...facts, implementations: before instanceof Protocol ? before.implementations : EMPTY_MAP });
}
