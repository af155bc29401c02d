import { type Attack, js } from '../attack.ts';

const SEES = ['returned', 'evaluation_error'] as const;
const REFUSED = /refused|two texts|TypeError|absent/;

/** Misuse of the one way out. The test's broker answers `echo` at once and `never` not at all. */
export const bridge: readonly Attack[] = [
  js('bridge-numbers', 'numbers instead of texts', SEES, 'return call(1, 2);', REFUSED),
  js('bridge-nothing', 'no arguments', SEES, 'return call();', REFUSED),
  js('bridge-objects', 'objects that pretend to be texts', SEES, 'return call({ toString: () => "echo" }, { toString: () => "{}" });', REFUSED),
  js('bridge-string-objects', 'string objects', SEES, 'return call(Object("echo"), Object("{}"));', REFUSED),
  js('bridge-symbols', 'symbols', SEES, 'return call(Symbol("echo"), Symbol.iterator);', REFUSED),
  js('bridge-functions', 'functions', SEES, 'return call("echo", () => 0);', REFUSED),
  js('bridge-proxy', 'a proxy', SEES, 'return call("echo", new Proxy({}, { get() { return () => "{}"; } }));', REFUSED),
  js('bridge-long-name', 'a name of a megabyte', SEES, 'return call("e".repeat(1e6), "{}");', REFUSED),
  js('bridge-huge-arguments', 'arguments of five megabytes', ['returned'], 'return call("length", "x".repeat(5e6));', /^4000001$/),
  js('bridge-surrogates', 'a lone surrogate in name and arguments', ['returned'], 'return call("echo", "\\uD800") + call("\\uDC00", "{}");', /^echo:\uFFFD\uFFFD:\{\}$/),
  js('bridge-nul', 'NUL characters', ['returned'], 'return call("echo\\0", "\\0");', /^echo\0:\0$/),
  js('bridge-not-json', 'arguments that are no JSON', ['returned'], 'return call("echo", "}{");', /^echo:\}\{$/),
  js('bridge-again-in-reaction', 'calls from reactions, after the return', ['returned'], 'for (let i = 0; i < 10; i++) Promise.resolve().then(() => call("echo", "{}")); return call("echo", "1");', /^echo:1$/),
  js('bridge-in-getter', 'a call inside the conversion of an argument of a call', SEES, 'return call("echo", { toString: () => call("echo", "{}") });', REFUSED),
  js('bridge-in-to-string-of-result', 'a call while the result is made a text', ['returned'], 'return { toString: () => call("echo", "2") };', /^echo:2$/),
  js('bridge-flood', 'calls without end', ['timeout'], 'for (;;) call("echo", "{}");'),
  js('bridge-flood-huge', 'large calls without end', ['timeout', 'memory_exceeded'], 'const s = "x".repeat(1e6); for (;;) call("echo", s);'),
  js('bridge-never', 'a call that is never answered', ['timeout'], 'return call("never", "{}");'),
  js('bridge-never-finally', 'a loop after a call that is never answered', ['timeout'], 'try { call("never", "{}"); } finally { for (;;); }'),
  js('bridge-refused-loop', 'refused calls without end', ['timeout'], 'for (;;) { try { call(0); } catch {} }'),
  js('bridge-as-handle', 'the bridge as comparison, replacement and iterator', SEES, 'return [[1, 2].sort(call)];', REFUSED),
  js('bridge-new', 'the bridge as a constructor', SEES, 'return new call("echo", "{}");', REFUSED),
  js('bridge-deep-stack', 'a call at the end of the stack', ['returned', 'evaluation_error'], 'return (function f(n) { try { return f(n + 1); } catch { return call("echo", "3"); } })(0);'),
];
