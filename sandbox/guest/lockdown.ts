/**
 * Takes away from an isolate everything that is not plain, deterministic ECMAScript (architecture.md §1.4).
 *
 * In two steps, because a snapshot cannot hold all of it: freezing some intrinsics inside a snapshot makes V8 abort
 * when it is read back, and several globals come back after it was. `prepareIntrinsics` runs when the snapshot is
 * made and does what survives; `lockDown` runs in each fresh context and does the rest.
 */

type Container = Record<PropertyKey, unknown>;

/** What a program's compiled code may find on the global object. All else is deleted. */
const KEPT_GLOBALS: readonly string[] = [
  'Infinity', 'NaN', 'undefined', 'globalThis',
  'Object', 'Array', 'Number', 'Boolean', 'String', 'Symbol', 'BigInt', 'Math', 'JSON', 'RegExp',
  'Map', 'Set', 'WeakMap', 'WeakSet', 'Iterator', 'Promise', 'Proxy', 'Reflect',
  'Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError',
  'ArrayBuffer', 'DataView', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array',
  'Uint32Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array',
  'isFinite', 'isNaN', 'parseFloat', 'parseInt', 'encodeURI', 'encodeURIComponent', 'decodeURI', 'decodeURIComponent',
];

/** Frozen in each context: their freezing does not survive a snapshot (V8 13.6 aborts with "AddDataProperty"). */
const FROZEN_LATE: ReadonlySet<string> = new Set([
  'Promise', 'RegExp', 'Error', 'Math', 'DataView.prototype', 'Iterator.prototype',
]);

/**
 * Never frozen. RegExp.prototype: frozen, every match leaves V8's fast path and is nine times slower (measured).
 * The prototypes of errors: a program's own error classes assign `name` and `message`.
 */
const LEFT_OPEN = /^(RegExp|\w*Error)\.prototype$/;

/** Ways to the clock, to chance and to the locale of the machine, by the object that has them. */
const UNREPEATABLE: readonly (readonly [owner: (from: Container) => unknown, names: readonly string[]])[] = [
  [(from) => from['Math'], ['random']],
  [(from) => from['Date'], ['now']],
  [(from) => prototypeOf(from['Date']), ['constructor', 'getTimezoneOffset', 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']],
  [(from) => prototypeOf(from['String']), ['localeCompare', 'toLocaleLowerCase', 'toLocaleUpperCase']],
  [(from) => prototypeOf(from['Number']), ['toLocaleString']],
  [(from) => prototypeOf(from['BigInt']), ['toLocaleString']],
  [(from) => prototypeOf(from['Array']), ['toLocaleString']],
  [(from) => prototypeOf(from['Object']), ['toLocaleString']],
  [() => Object.getPrototypeOf(Uint8Array.prototype), ['toLocaleString']],
  [(from) => from['Error'], ['captureStackTrace']],
];

/** Runs while the snapshot is made, after the guest was loaded: removes and freezes what stays so. */
export function prepareIntrinsics(): void {
  removeUnrepeatable();
  for (const [name, value] of namedIntrinsics()) {
    if (!FROZEN_LATE.has(name) && !LEFT_OPEN.test(name)) Object.freeze(value);
  }
}

/** Runs once in each fresh context, before any program text. */
export function lockDown(): void {
  const from: Container = globalThis as unknown as Container;
  removeUnrepeatable();
  removeFunctionConstructors();
  fixErrorConstructor(from['Error']);
  const late: unknown[] = [];
  for (const name of FROZEN_LATE) late.push(at(from, name));
  const kept = new Set(KEPT_GLOBALS);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!kept.has(name) && !Reflect.deleteProperty(globalThis, name)) throw new Error(`global ${name} cannot be removed`);
  }
  for (const value of late) Object.freeze(value);
  Object.freeze(globalThis);
}

function removeUnrepeatable(): void {
  const from: Container = globalThis as unknown as Container;
  for (const [owner, names] of UNREPEATABLE) removeFrom(owner(from), names);
}

/** The four constructors that turn text into code, reachable from any function by its prototype. */
function removeFunctionConstructors(): void {
  const functions: readonly unknown[] = [
    () => undefined,
    async () => undefined,
    function* generator() { yield undefined; },
    async function* asyncGenerator() { yield undefined; },
  ];
  for (const value of functions) {
    const prototype: unknown = Object.getPrototypeOf(value);
    removeFrom(prototype, ['constructor']);
    Object.freeze(prototype);
  }
}

/** Without `prepareStackTrace` no program sees call sites, hence no function that calls it. */
function fixErrorConstructor(constructor: unknown): void {
  if (typeof constructor !== 'function') throw new Error('Error is missing');
  Object.defineProperty(constructor, 'prepareStackTrace', { value: undefined, writable: false, configurable: false });
}

function removeFrom(owner: unknown, names: readonly string[]): void {
  if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null) return;
  for (const name of names) {
    if (!Reflect.deleteProperty(owner, name)) throw new Error(`${name} cannot be removed`);
  }
}

/** Constructors, namespaces, prototypes and the prototypes without a name of their own. */
function namedIntrinsics(): ReadonlyMap<string, object> {
  const from: Container = globalThis as unknown as Container;
  const found = new Map<string, object>();
  const add = (name: string, value: unknown): void => {
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') found.set(name, value);
  };
  for (const name of KEPT_GLOBALS) {
    if (name === 'globalThis') continue;
    add(name, from[name]);
    add(`${name}.prototype`, prototypeOf(from[name]));
  }
  add('TypedArray', Object.getPrototypeOf(Uint8Array));
  add('TypedArray.prototype', Object.getPrototypeOf(Uint8Array.prototype));
  for (const [name, iterator] of Object.entries({
    ArrayIterator: [].values(),
    MapIterator: new Map().values(),
    SetIterator: new Set().values(),
    StringIterator: ''[Symbol.iterator](),
    RegExpStringIterator: ''.matchAll(/x/g),
  })) {
    add(name, Object.getPrototypeOf(iterator));
  }
  return found;
}

function at(from: Container, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Container)[name], from);
}

function prototypeOf(constructor: unknown): unknown {
  return typeof constructor === 'function' ? (constructor as unknown as Container)['prototype'] : undefined;
}
