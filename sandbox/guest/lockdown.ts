/**
 * Takes away from an isolate everything that is not plain, deterministic ECMAScript (design.md §1.4).
 *
 * In two steps, because a snapshot cannot hold all of it: freezing some intrinsics inside a snapshot makes V8 abort
 * when it is read back, and several globals come back after it was. `prepareIntrinsics` runs when the snapshot is
 * made and does what survives; `lockDown` runs in each fresh context and does the rest.
 */

/** What a program's compiled code may find on the global object. All else is deleted. */
const ALLOWED_GLOBALS: readonly string[] = [
  'Infinity',
  'NaN',
  'undefined',
  'globalThis',
  'Object',
  'Array',
  'Number',
  'Boolean',
  'String',
  'Symbol',
  'BigInt',
  'Math',
  'JSON',
  'RegExp',
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'Iterator',
  'Promise',
  'Proxy',
  'Reflect',
  'Error',
  'AggregateError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'ArrayBuffer',
  'DataView',
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
  'isFinite',
  'isNaN',
  'parseFloat',
  'parseInt',
  'encodeURI',
  'encodeURIComponent',
  'decodeURI',
  'decodeURIComponent',
];

/** Frozen in each context: their freezing does not survive a snapshot (V8 13.6 aborts with "AddDataProperty"). */
const FROZEN_LATE: ReadonlySet<string> = new Set([
  'Promise',
  'RegExp',
  'Error',
  'Math',
  'DataView.prototype',
  'Iterator.prototype',
]);

/**
 * Never frozen. RegExp.prototype: frozen, every match leaves V8's fast path and is nine times slower (measured).
 * The prototypes of errors: a program's own error classes assign `name` and `message`.
 */
const LEFT_OPEN = /^(RegExp|\w*Error)\.prototype$/;

/** Ways to the clock, to chance, to the locale of the machine and to what ran before, by the object that has them. */
const UNREPEATABLE: readonly (readonly [owner: string, names: readonly string[]])[] = [
  ['Math', ['random']],
  ['Date', ['now']],
  [
    'Date.prototype',
    ['constructor', 'getTimezoneOffset', 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'],
  ],
  ['String.prototype', ['localeCompare', 'toLocaleLowerCase', 'toLocaleUpperCase']],
  ['Number.prototype', ['toLocaleString']],
  ['BigInt.prototype', ['toLocaleString']],
  ['Array.prototype', ['toLocaleString']],
  ['Object.prototype', ['toLocaleString']],
  ['Uint8Array.__proto__.prototype', ['toLocaleString']],
  ['Error', ['captureStackTrace']],
  // What the last match anywhere was.
  [
    'RegExp',
    [
      'input',
      'lastMatch',
      'lastParen',
      'leftContext',
      'rightContext',
      '$_',
      '$&',
      '$+',
      '$`',
      "$'",
      '$1',
      '$2',
      '$3',
      '$4',
      '$5',
      '$6',
      '$7',
      '$8',
      '$9',
    ],
  ],
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
  removeUnrepeatable();
  removeFunctionConstructors();
  fixErrorConstructor();
  const late = [...[...FROZEN_LATE].map(intrinsic), asyncIteratorPrototype(), Object.getPrototypeOf(globalThis)];
  const allowed = new Set(ALLOWED_GLOBALS);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!allowed.has(name) && !Reflect.deleteProperty(globalThis, name))
      throw new Error(`global ${name} cannot be removed`);
  }
  for (const value of late) Object.freeze(value);
  Object.freeze(globalThis);
}

function removeUnrepeatable(): void {
  for (const [owner, names] of UNREPEATABLE) removeFrom(intrinsic(owner), names);
}

function plain(): void {}
async function asynchronous(): Promise<void> {}
function* generator(): Generator<void> {
  yield;
}
async function* asynchronousGenerator(): AsyncGenerator<void> {
  yield;
}

/** The four constructors that turn text into code, reachable from any function by its prototype. */
function removeFunctionConstructors(): void {
  for (const value of [plain, asynchronous, generator, asynchronousGenerator]) {
    const prototype: unknown = Object.getPrototypeOf(value);
    removeFrom(prototype, ['constructor']);
    Object.freeze(prototype);
  }
}

/** Frames that a stack holds: the innermost of generated code are looked for among them (language.md §17). */
const STACK_FRAMES = 100;

/** Without `prepareStackTrace` no program sees call sites, hence no function that calls it. */
function fixErrorConstructor(): void {
  Object.defineProperty(Error, 'stackTraceLimit', { value: STACK_FRAMES, writable: false, configurable: false });
  Object.defineProperty(Error, 'prepareStackTrace', { value: undefined, writable: false, configurable: false });
}

function removeFrom(owner: unknown, names: readonly string[]): void {
  if (!isObject(owner)) return;
  for (const name of names) {
    if (!Reflect.deleteProperty(owner, name)) throw new Error(`${name} cannot be removed`);
  }
}

/** Constructors, namespaces, prototypes and the prototypes without a name of their own. */
function namedIntrinsics(): ReadonlyMap<string, object> {
  const found = new Map<string, object>();
  const add = (name: string, value: unknown): void => {
    if (isObject(value)) found.set(name, value);
  };
  for (const name of ALLOWED_GLOBALS) {
    if (name === 'globalThis') continue;
    add(name, intrinsic(name));
    add(`${name}.prototype`, intrinsic(`${name}.prototype`));
  }
  for (const [name, value] of unnamedObjects()) add(name, value);
  return found;
}

/** Frozen late, too: V8 adds `Symbol.asyncDispose` to it when a context starts. */
function asyncIteratorPrototype(): unknown {
  return Object.getPrototypeOf(Object.getPrototypeOf(asynchronousGenerator.prototype));
}

/** Prototypes that are without a path of names that may be frozen in the snapshot. */
function unnamedObjects(): readonly (readonly [name: string, value: unknown])[] {
  const of = (value: unknown): unknown => Object.getPrototypeOf(value);
  return [
    ['TypedArray', of(Uint8Array)],
    ['TypedArray.prototype', of(Uint8Array.prototype)],
    ['Array.prototype[Symbol.unscopables]', Array.prototype[Symbol.unscopables]],
    ['ArrayIterator', of([].values())],
    ['MapIterator', of(new Map().values())],
    ['SetIterator', of(new Set().values())],
    ['StringIterator', of(''[Symbol.iterator]())],
    ['RegExpStringIterator', of(''.matchAll(/x/g))],
    ['IteratorHelper', of([].values().drop(0))],
    ['WrapForValidIterator', of(Iterator.from({ next: () => ({ done: true, value: undefined }) }))],
    ['Generator', of(generator.prototype)],
    ['AsyncGenerator', of(asynchronousGenerator.prototype)],
  ];
}

/** What a path from the global object leads to; undefined where it breaks off. */
function intrinsic(path: string): unknown {
  let value: unknown = globalThis;
  for (const name of path.split('.')) value = isObject(value) ? Reflect.get(value, name) : undefined;
  return value;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
