import { expect } from 'chai';
import { buildSnapshot, everywhere } from '../../scripts/build-snapshot.ts';
import { RAW_GUEST } from '../testing/sandbox-under-test.ts';
import { type GuestIsolate, openGuestIsolate } from '../host/guest-isolate.ts';
import { decodeGuestImage, loadSnapshotImage } from '../host/snapshot.ts';

const HEAP_WORDS = 1_250_000;

describe('the locked-down context', () => {
  let isolate: GuestIsolate;

  before(async () => {
    const image = await decodeGuestImage(
      Buffer.from(await buildSnapshot(everywhere({ script: RAW_GUEST }))),
      'workflow',
    );
    isolate = openGuestIsolate(loadSnapshotImage(image), HEAP_WORDS);
  });
  after(() => isolate.dispose());

  /** Result of a function body run in the context, or `!` and the error's text. */
  async function run(body: string): Promise<string> {
    const answer = await isolate.request(
      { load: '', text: JSON.stringify({ source: body, tools: [] }), timeoutMs: 5000, wantsHeap: false },
      () => Promise.resolve('+{}'),
    );
    if (answer.type !== 'replied') throw new Error(JSON.stringify(answer));
    const reply: unknown = JSON.parse(answer.text);
    if (typeof reply !== 'object' || reply === null) throw new Error(answer.text);
    if ('value' in reply) return String(reply.value);
    return 'fault' in reply && typeof reply.fault === 'object' && reply.fault !== null && 'message' in reply.fault
      ? `!${String(reply.fault.message)}`
      : answer.text;
  }

  const absent = [
    'WebAssembly',
    'SharedArrayBuffer',
    'Atomics',
    'Intl',
    'eval',
    'Function',
    'WeakRef',
    'FinalizationRegistry',
    'Date',
    'console',
    'setTimeout',
    'queueMicrotask',
    'structuredClone',
    'escape',
    'unescape',
    'DisposableStack',
    'AsyncDisposableStack',
    'ShadowRealm',
    'gc',
    'require',
    'process',
    'performance',
    'crypto',
    'fetch',
    '__svc_boot',
    '__svc_cold',
    '__svc_enter',
    'ivm',
    'Temporal',
    'AsyncFunction',
  ];
  for (const name of absent) {
    it(`has no ${name} on the global object or its prototypes`, async () => {
      expect(await run(`return typeof ${name} + (${JSON.stringify(name)} in globalThis)`)).to.equal('undefinedfalse');
    });
  }

  const constructors: readonly (readonly [route: string, expression: string])[] = [
    ['a string', '"".constructor.constructor'],
    ['an array', '[].constructor.constructor'],
    ['a function', '(function(){}).constructor'],
    ['an arrow', '(() => 0).constructor'],
    ['a method', '({ m() {} }).m.constructor'],
    ['a class', '(class {}).constructor'],
    ['an async function', '(async () => 0).constructor'],
    ['a generator function', '(function*(){}).constructor'],
    ['an async generator function', '(async function*(){}).constructor'],
    ['a native function', 'Array.prototype.map.constructor'],
    ['a getter', 'Object.getOwnPropertyDescriptor(Map.prototype, "size").get.constructor'],
    ['the prototype of Object', 'Object.getPrototypeOf(Object).constructor'],
    ['a bound function', '(function(){}).bind().constructor'],
    ['a proxy', 'new Proxy(function(){}, {}).constructor'],
    ['the bridge', 'bridge.constructor'],
    ['this', '(function(){ return this })()?.constructor.constructor'],
    ['a thrown error', '(() => { try { null.x } catch (error) { return error.constructor.constructor } })()'],
    ['a promise', 'Promise.resolve().then.constructor'],
    ['Reflect.get', 'Reflect.get(function(){}, "constructor")'],
    ['the callee of arguments', '(function(){ return arguments.callee.constructor })()'],
  ];
  for (const [route, expression] of constructors) {
    it(`reaches no constructor of functions through ${route}`, async () => {
      const made = await run(
        `const Reached = ${expression}; return typeof Reached === 'function' ? String(Reached('return 42')()) : typeof Reached`,
      );
      expect(made).to.not.contain('42');
    });
  }

  it('does not evaluate text by way of eval found through another route', async () => {
    expect(await run('return (0, globalThis.eval)("1")')).to.match(/^!TypeError/);
  });

  it('imports no module', async () => {
    const reached = await run(
      'globalThis.x = 1; let r = "pending"; import("node:fs").then(() => { r = "loaded" }, () => { r = "refused" }); return r',
    );
    expect(reached).to.equal('pending');
    expect(await run('return typeof x')).to.equal('undefined');
  });

  const unrepeatable = [
    'Math.random',
    '"".localeCompare',
    '"".toLocaleLowerCase',
    '(1).toLocaleString',
    '(1n).toLocaleString',
    '[].toLocaleString',
    '({}).toLocaleString',
    'new Uint8Array().toLocaleString',
    'Error.captureStackTrace',
    'Error.prepareStackTrace',
  ];
  for (const expression of unrepeatable) {
    it(`has no ${expression}`, async () => {
      expect(await run(`return typeof (${expression})`)).to.equal('undefined');
    });
  }

  it('shows a program no call sites', async () => {
    const seen = await run(`
      try { Error.prepareStackTrace = (error, sites) => sites } catch {}
      const { stack } = new Error('x');
      return typeof stack`);
    expect(seen).to.equal('string');
  });

  it('gives no way to the caller of a function', async () => {
    expect(await run('return (function f() { "use strict"; return f.caller })()')).to.match(/^!TypeError/);
    expect(await run('return bridge.caller')).to.match(/^!TypeError/);
    expect(await run('return String((function f() { return f.caller && f.caller.caller })())')).to.match(
      /^(null|undefined)$/,
    );
  });

  it('has a frozen global object', async () => {
    expect(await run('return Object.isFrozen(globalThis)')).to.equal('true');
    expect(await run('"use strict"; globalThis.leak = 1; return 1')).to.match(/^!TypeError/);
    expect(await run('leak = 1; return typeof leak')).to.equal('undefined');
    expect(await run('"use strict"; Object = 1; return 1')).to.match(/^!TypeError/);
  });

  it('has frozen every reachable intrinsic but functions, RegExp.prototype and the prototypes of errors', async () => {
    const open = await run(`
      const seen = new Map(), queue = [[globalThis, 'globalThis']];
      const values = { generator: (function*(){})(), asyncGenerator: (async function*(){})(),
        asyncFunction: async () => 0, array: [].values(),
        map: new Map().entries(), set: new Set().values(), string: ''[Symbol.iterator](), match: ''.matchAll(/x/g),
          helper: [].values().map(x => x),
        wrapped: Iterator.from({ next() {} }), promise: Promise.resolve(), typed: new Uint8Array(),
          weak: new WeakMap() };
      for (const name in values) queue.push([Object.getPrototypeOf(values[name]), 'prototype of ' + name]);
      while (queue.length) {
        const [value, path] = queue.pop();
        if (value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) continue;
        seen.set(value, path);
        queue.push([Object.getPrototypeOf(value), path + '.__proto__']);
        for (const key of Reflect.ownKeys(value)) {
          const found = Reflect.getOwnPropertyDescriptor(value, key);
          for (const part of ['value', 'get', 'set']) queue.push([found[part], path + '.' + String(key)]);
        }
      }
      const own = new Set([Object.getPrototypeOf(values.generator), Object.getPrototypeOf(values.asyncGenerator)]);
      const method = (value) => typeof value === 'function' && !Object.hasOwn(value, 'prototype');
      return [...seen].filter(([value]) => !Object.isFrozen(value) && !method(value)
        && !own.has(value)).map(([, path]) => path).sort().join('\\n')`);
    const unexpected = open
      .split('\n')
      .filter((path) => !/^globalThis\.(RegExp|\w*Error)\.prototype(\.__proto__)?$/.test(path));
    expect(unexpected).to.deep.equal([]);
  });

  it('lets no pollution of a shared prototype through', async () => {
    expect(await run('"use strict"; Object.prototype.polluted = 1; return 1')).to.match(/^!TypeError/);
    expect(await run('"use strict"; Array.prototype.push = null; return 1')).to.match(/^!TypeError/);
    expect(await run('({}).__proto__.polluted = 1; return typeof ({}).polluted')).to.equal('undefined');
    expect(await run('return Reflect.setPrototypeOf(Object.prototype, { polluted: 1 })')).to.equal('false');
  });

  it('lets an own error class set its name', async () => {
    expect(
      await run(
        '"use strict"; class Own extends Error { constructor() { super("m"); this.name = "Own"; } } return String(new Own())',
      ),
    ).to.equal('Own: m');
  });

  it('keeps isolated-vm out of reach: what the bridge throws and returns is plain', async () => {
    expect(
      await run(
        'return Object.getPrototypeOf(bridge) === Object.getPrototypeOf(function(){}) && Reflect.ownKeys(bridge).join()',
      ),
    ).to.match(/^length,name/);
    expect(
      await run(
        'try { bridge(1, 2) } catch (error) { return Object.getPrototypeOf(error) === TypeError.prototype && !/host|file:|node:/.test(error.stack) }',
      ),
    ).to.equal('true');
    expect(await run('return typeof call("tool", "{}")')).to.equal('string');
  });
});
