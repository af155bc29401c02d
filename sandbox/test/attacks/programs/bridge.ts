import { type Attack, js } from '../attack.ts';

const SEES = ['returned', 'evaluation_error'] as const;
const REFUSED = /refused|TypeError|SyntaxError/;

/** Misuse of the one way out. The test's broker answers `echo` at once and `never` not at all. */
export const bridge: readonly Attack[] = [
  js('bridge-numbers', 'a number', SEES, 'return bridge(1, 2);', REFUSED),
  js('bridge-nothing', 'no argument', SEES, 'return bridge();', REFUSED),
  js('bridge-object', 'a call as an object', SEES, 'return bridge({ name: "echo", arguments: "{}" });', REFUSED),
  js('bridge-object-text', 'an object that pretends to be a text', SEES, 'return bridge({ toString: () => `{"name":"echo","arguments":"{}"}` });', REFUSED),
  js('bridge-string-object', 'a string object', SEES, 'return bridge(Object(`{"name":"echo","arguments":"{}"}`));', REFUSED),
  js('bridge-symbol', 'a symbol', SEES, 'return bridge(Symbol("echo"));', REFUSED),
  js('bridge-function', 'a function', SEES, 'return bridge(() => 0);', REFUSED),
  js('bridge-proxy', 'a proxy', SEES, 'return bridge(new Proxy({}, { get() { return () => "{}"; } }));', REFUSED),
  js('bridge-no-json', 'a text that is no JSON', SEES, 'return bridge("echo");', REFUSED),
  js('bridge-null', 'null as JSON', SEES, 'return bridge("null");', REFUSED),
  js('bridge-list', 'a list as JSON', SEES, 'return bridge("[1,2]");', REFUSED),
  js('bridge-no-name', 'a call without a name', SEES, 'return bridge(`{"arguments":"{}"}`);', REFUSED),
  js('bridge-number-name', 'a name that is a number', SEES, 'return bridge(`{"name":1,"arguments":"{}"}`);', REFUSED),
  js('bridge-object-arguments', 'arguments that are no text', SEES, 'return bridge(`{"name":"echo","arguments":{}}`);', REFUSED),
  js('bridge-prototype', 'a call by prototype', SEES, 'return bridge(`{"__proto__":{"name":"echo","arguments":"{}"}}`);', REFUSED),
  js('bridge-deep', 'a call of brackets', SEES, 'return bridge("[".repeat(1e5));', REFUSED),
  js('bridge-long-name', 'a name of a megabyte', SEES, 'return call("e".repeat(1e6), "{}");', REFUSED),
  js('bridge-huge-arguments', 'arguments of five megabytes', ['returned'], 'return call("length", "x".repeat(5e6));', /^4000001$/),
  js('bridge-surrogates', 'a lone surrogate in name and arguments', ['returned'], 'return call("echo", "\\uD800") + call("\\uDC00", "{}");', /^echo:\uFFFD\uFFFD:\{\}$/),
  js('bridge-nul', 'NUL characters', ['returned'], 'return call("echo\\0", "\\0");', /^echo\0:\0$/),
  js('bridge-not-json', 'arguments that are no JSON', ['returned'], 'return call("echo", "}{");', /^echo:\}\{$/),
  js('bridge-again-in-reaction', 'calls from reactions, after the return', ['returned'], 'for (let i = 0; i < 10; i++) Promise.resolve().then(() => call("echo", "{}")); return call("echo", "1");', /^echo:1$/),
  js('bridge-in-getter', 'a call inside the making of a call', ['returned'], 'return call("echo", { toJSON: () => call("echo", "{}") });', /^echo:echo:\{\}$/),
  js('bridge-in-to-string-of-result', 'a call while the result is made a text', ['returned'], 'return { toString: () => call("echo", "2") };', /^echo:2$/),
  js('bridge-flood', 'calls without end', ['timeout'], 'for (;;) call("echo", "{}");'),
  js('bridge-flood-huge', 'large calls without end', ['timeout', 'memory_exceeded'], 'const s = "x".repeat(1e6); for (;;) call("echo", s);'),
  js('bridge-never', 'a call that is never answered', ['timeout'], 'return call("never", "{}");'),
  js('bridge-never-finally', 'a loop after a call that is never answered', ['timeout'], 'try { call("never", "{}"); } finally { for (;;); }'),
  js('bridge-refused-loop', 'refused calls without end', ['timeout'], 'for (;;) { try { bridge(0); } catch {} }'),
  js('bridge-as-handle', 'the bridge as comparison, replacement and iterator', SEES, 'return [[1, 2].sort(bridge)];', REFUSED),
  js('bridge-new', 'the bridge as a constructor', SEES, 'return new bridge(`{"name":"echo","arguments":"{}"}`);', REFUSED),
  js('bridge-deep-stack', 'a call at the end of the stack', ['returned', 'evaluation_error'], 'return (function f(n) { try { return f(n + 1); } catch { return call("echo", "3"); } })(0);'),
];
