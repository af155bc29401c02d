import { type Attack, js, TIME, TIME_OR_MEMORY } from '../attack.ts';

const ENDS = ['returned', 'evaluation_error', 'memory_exceeded', 'timeout'] as const;

/** Depth without end, in the program and inside conversions that the engine makes. */
export const recursion: readonly Attack[] = [
  js(
    'recurse-plain',
    'plain recursion',
    ['evaluation_error'],
    'return (function f(n) { return 1 + f(n + 1); })(0);',
    /RangeError/,
  ),
  js(
    'recurse-caught',
    'recursion that goes on in its handler',
    ENDS,
    'return (function f() { try { f(); } catch { f(); } })();',
  ),
  js(
    'recurse-finally',
    'recursion that goes on in finally',
    ENDS,
    '(function f() { try { f(); } finally { f(); } })();',
  ),
  js('recurse-to-string', 'recursion in toString', ENDS, 'const o = { toString() { return "" + o; } }; return "" + o;'),
  js('recurse-value-of', 'recursion in valueOf', ENDS, 'const o = { valueOf() { return +o; } }; return +o;'),
  js(
    'recurse-to-primitive',
    'recursion in Symbol.toPrimitive',
    ENDS,
    'const o = { [Symbol.toPrimitive]() { return `${o}`; } }; return `${o}`;',
  ),
  js('recurse-getter', 'recursion in a getter', ENDS, 'const o = { get a() { return this.a; } }; return o.a;'),
  js('recurse-setter', 'recursion in a setter', ENDS, 'const o = { set a(v) { this.a = v; } }; o.a = 1;'),
  js(
    'recurse-proxy',
    'a proxy that is its own prototype',
    ENDS,
    'const p = new Proxy({}, {}); Object.setPrototypeOf(p, p); return p.x;',
  ),
  js(
    'recurse-proxy-chain',
    'a property through a million proxies',
    ENDS,
    'let p = {}; for (let i = 0; i < 50000; i++) p = new Proxy(p, {}); return p.x;',
  ),
  js(
    'recurse-has-instance',
    'recursion in instanceof',
    ENDS,
    'const o = { [Symbol.hasInstance]: (v) => v instanceof o }; return 1 instanceof o;',
  ),
  js(
    'recurse-iterator',
    'recursion in an iterator',
    ENDS,
    'const o = { [Symbol.iterator]() { return [...o]; } }; return [...o];',
  ),
  js(
    'recurse-json',
    'recursion in toJSON',
    ENDS,
    'const o = { toJSON() { return JSON.stringify(o); } }; return JSON.stringify(o);',
  ),
  js('recurse-sort', 'recursion in a comparison', ENDS, 'const f = () => [2, 1].sort(f).length; return f();'),
  js('recurse-replace', 'recursion in a replacement', ENDS, 'const f = () => "a".replace("a", f); return f();'),
  js(
    'recurse-regexp-species',
    'recursion in a matcher',
    ENDS,
    'const o = { [Symbol.match]: () => "a".match(o) }; return "a".match(o);',
  ),
  js('recurse-constructor', 'recursion in a constructor', ENDS, 'class A { constructor() { new A(); } } new A();'),
  js(
    'recurse-bound',
    'a chain of bound functions',
    ENDS,
    'let f = () => 0; for (let i = 0; i < 100000; i++) f = f.bind(null); return f();',
  ),
  js(
    'recurse-array-join',
    'arrays in arrays, as text',
    ENDS,
    'let a = []; for (let i = 0; i < 100000; i++) a = [a]; return String(a);',
  ),
  js('recurse-generator', 'delegation without end', ENDS, 'function* g() { yield* g(); } return [...g()];'),
  js(
    'recurse-spread-arguments',
    'more arguments at every level',
    ENDS,
    'return (function f(...all) { return f(...all, ...all, 1); })();',
  ),
  js(
    'recurse-deep-parse',
    'deeply nested source in a regular expression',
    ENDS,
    'return new RegExp("(".repeat(100000) + ")".repeat(100000)).test("a");',
  ),
  js(
    'recurse-mutual-timeout',
    'deep recursion for ever',
    [...TIME_OR_MEMORY],
    'for (;;) { try { (function f() { f(); })(); } catch {} }',
  ),
  js('exit-finally-loop', 'a finally that never ends', TIME, 'try { return 1; } finally { for (;;); }'),
  js(
    'exit-catch-loop',
    'a handler of everything around a loop',
    TIME,
    'for (;;) { try { for (;;); } catch {} finally { continue; } }',
  ),
  js(
    'exit-generator-return',
    'a generator that refuses to end',
    ['returned'],
    'function* g() { for (;;) { try { yield 1; } finally { continue; } } } for (const x of g()) break; return 1;',
    /^1$/,
  ),
  js(
    'exit-iterator-close',
    'an iterator whose return never ends',
    TIME,
    'for (const x of { [Symbol.iterator]: () => ({ next: () => ({ done: false }), return() { for (;;); } }) }) break; return 1;',
  ),
  js('exit-result-to-string', 'a result whose text never ends', TIME, 'return { toString() { for (;;); } };'),
  js('exit-error-to-string', 'an error whose text never ends', TIME, 'throw { toString() { for (;;); } };'),
  js(
    'exit-labelled',
    'nested loops with labels',
    TIME,
    'a: for (;;) { b: for (;;) { try { continue a; } finally { continue b; } } }',
  ),
];
