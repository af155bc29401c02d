import { type Attack, js } from '../attack.ts';

const SEES = ['returned', 'evaluation_error'] as const;
const NOTHING = /^(undefined|null|false|absent|TypeError.*|ReferenceError.*|SyntaxError.*|Error.*|RangeError.*)$/s;

/** Ways to code from text, to the host, to shared state. Each returns what it reached. */
export const escape: readonly Attack[] = [
  js('escape-constructor-chain', 'the constructor of a constructor', SEES, 'return "".constructor.constructor("return 42")();', NOTHING),
  js('escape-constructor-this', 'this of a function of Function', SEES, 'return (() => {}).constructor("return this")().process.pid;', NOTHING),
  js('escape-async-constructor', 'the constructor of asynchronous functions', SEES, 'return Object.getPrototypeOf(async () => {}).constructor("return 42")();', NOTHING),
  js('escape-generator-constructor', 'the constructor of generator functions', SEES, 'return Object.getPrototypeOf(function* () {}).constructor("yield 42")().next().value;', NOTHING),
  js('escape-async-generator-constructor', 'the constructor of asynchronous generator functions', SEES, 'return Object.getPrototypeOf(async function* () {}).constructor("yield 42")().next();', NOTHING),
  js('escape-indirect-eval', 'eval by another name', SEES, 'return (0, globalThis["ev" + "al"])("42");', NOTHING),
  js('escape-reflect-construct', 'Reflect.construct of a found constructor', SEES, 'return Reflect.construct(Reflect.getPrototypeOf(Map).constructor, ["return 42"])();', NOTHING),
  js('escape-extends', 'a class that extends null and calls its prototype', SEES, 'class A extends (function () {}.constructor ?? Object) {} return new A("return 42") instanceof Object ? "absent" : "reached";', NOTHING),
  js('escape-bridge-constructor', 'the constructor of the bridge', SEES, 'return bridge.constructor("return process")();', NOTHING),
  js('escape-bridge-properties', 'properties of the bridge that lead to isolated-vm', SEES, 'return [bridge.applySyncPromise, bridge.apply.applySyncPromise, bridge.caller, bridge.arguments].find(Boolean);', NOTHING),
  js('escape-bridge-bind', 'the bridge called on another receiver', SEES, 'try { return String(bridge.call({ applySyncPromise() { return "+reached"; } }, 1, 2)); } catch { return "absent"; }', NOTHING),
  js('escape-call-sites', 'call sites of a stack', SEES, 'try { Error.prepareStackTrace = (e, sites) => sites; } catch {} let found; try { null.x; } catch (e) { found = e.stack; } return Array.isArray(found) ? found[0].getFunction() : "absent";', NOTHING),
  js('escape-stack-length', 'host paths in the stack of a refused call', SEES, 'try { bridge(1, 1); } catch (e) { return /file:|node:|host|\\.cjs|\\.ts/.test(e.stack); }', NOTHING),
  js('escape-caller', 'the caller of a sloppy function', SEES, 'return (function f() { return f.caller && f.caller.caller ? "reached" : "absent"; })();', NOTHING),
  js('escape-import', 'dynamic import', SEES, 'let got = "absent"; import("fs").then((m) => { got = m; }, () => {}); return got;', NOTHING),
  js('escape-import-data', 'dynamic import of a data address', SEES, 'let got = "absent"; import("data:text/javascript,export default 42").then((m) => { got = m; }, () => {}); return got;', NOTHING),
  js('escape-wasm', 'WebAssembly', SEES, 'return new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));', NOTHING),
  js('escape-shared-memory', 'shared memory', SEES, 'return new SharedArrayBuffer(8).byteLength;', NOTHING),
  js('escape-shared-growable', 'shared memory by species', SEES, 'return new Uint8Array(8).buffer.constructor[Symbol.species].name === "SharedArrayBuffer";', NOTHING),
  js('escape-clock', 'the clock', SEES, 'return new Date().getTime();', NOTHING),
  js('escape-random', 'chance', SEES, 'return Math.random();', NOTHING),
  js('escape-locale', 'the locale of the machine', SEES, 'return new Intl.DateTimeFormat().resolvedOptions().timeZone;', NOTHING),
  js('escape-locale-method', 'the locale by a method', SEES, 'return (1234.5).toLocaleString("de");', NOTHING),
  js('escape-weak-ref', 'what the collector does', SEES, 'return new WeakRef({}).deref();', NOTHING),
  js('escape-pollute-object', 'pollution of Object.prototype', SEES, 'try { Object.prototype.polluted = "reached"; } catch {} return ({}).polluted;', NOTHING),
  js('escape-pollute-array', 'an own push for everybody', SEES, 'try { Array.prototype.push = () => "reached"; } catch {} return [].push(1) === "reached";', NOTHING),
  js('escape-pollute-define', 'pollution by defineProperty', SEES, 'return Reflect.defineProperty(Object.prototype, "applySyncPromise", { value: () => "reached" });', NOTHING),
  js('escape-pollute-proto', 'pollution by __proto__', SEES, 'try { ({}).__proto__.then = (f) => f("reached"); } catch {} return ({}).then;', NOTHING),
  js('escape-pollute-iterator', 'an own iterator for everybody', SEES, 'try { Array.prototype[Symbol.iterator] = function* () { yield "reached"; }; } catch {} return [...[]][0];', NOTHING),
  js('escape-pollute-promise', 'an own then for everybody', SEES, 'try { Promise.prototype.then = () => "reached"; } catch {} return Promise.resolve().then() === "reached";', NOTHING),
  js('escape-pollute-string', 'an own startsWith for the bridge', SEES, 'try { String.prototype.startsWith = () => true; } catch {} return "a".startsWith("b");', NOTHING),
  js('escape-lookup-getter', 'getters of the old kind', SEES, 'try { Object.prototype.__defineGetter__("status", () => "reached"); } catch {} return ({}).status;', NOTHING),
  js('escape-set-prototype-global', 'another prototype for the global object', SEES, 'return Reflect.setPrototypeOf(globalThis, new Proxy({}, {}));', NOTHING),
  js('escape-handle', 'the guest\'s own entrance', SEES, 'return typeof __svc_boot === "undefined" && typeof __svc_cold === "undefined" && typeof __svc_enter === "undefined" ? "absent" : "reached";', NOTHING),
  js('escape-legacy-regexp', 'what another matched', SEES, 'return RegExp.$1 || "absent";', NOTHING),
];
