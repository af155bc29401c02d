/** Ways out of a host for who runs JavaScript in it, beside the guest and after its start. */

interface Targets {
  readonly secret: string;
  /** A unix socket on which somebody listens. */
  readonly socket: string;
  /** Process id of the supervisor. */
  readonly supervisor: number;
  /** Writable by the user. */
  readonly folder: string;
}

/**
 * Each is refused where it throws, rejects, errors, or gives nothing. `net` and `pipe` are what a host itself once had.
 */
const WAYS: Readonly<Record<string, (targets: Targets) => string>> = {
  'a file': ({ secret }) => `fs.readFileSync(${JSON.stringify(secret)}, 'utf8')`,
  'a file of the system': () => `fs.readFileSync('/etc/passwd', 'utf8')`,
  'its environment by proc': ({ supervisor }) => `fs.readFileSync('/proc/${supervisor}/environ', 'utf8')`,
  'a new file': ({ folder }) => `fs.writeFileSync(${JSON.stringify(`${folder}/made`)}, 'x')`,
  'a database': ({ folder }) =>
    `new (require('node:sqlite').DatabaseSync)(${JSON.stringify(`${folder}/made`)}).exec('create table t (a)')`,
  'a database by import': () => `import('node:sqlite')`,
  'a database by text': () => `new Function('return import("node:sqlite")')()`,
  'a built-in module': () => `process.getBuiltinModule('node:net')`,
  'a module': () => `require('node:dgram')`,
  'a module that is loaded already': () => `require('node:net')`,
  'a module by its loader': () => `module.constructor._load('net')`,
  'a module by another loader': () => `module.constructor.createRequire('/x.js')('net')`,
  'a module of files': () => `require('./perform.cjs')`,
  'an addon': ({ folder }) => `process.dlopen({ exports: {} }, ${JSON.stringify(`${folder}/made.node`)})`,
  'a binding': () => `process.binding('tcp_wrap')`,
  'a linked binding': () => `process._linkedBinding('tcp_wrap')`,
  'a signal to the supervisor': ({ supervisor }) => `process.kill(${supervisor}, 0)`,
  'a raw signal to the supervisor': ({ supervisor }) => `process._kill(${supervisor}, 0)`,
  'another program': () => `process.execve('/bin/sh', ['sh'], {})`,
  'a child': () => `child.spawnSync('/bin/sh', ['-c', 'exit 0']).error ?? 'ran'`,
  'a report': () => `process.report.writeReport()`,
  'a socket by path': ({ socket }) => `connected(net.connect(${JSON.stringify(socket)}))`,
  'a socket of its own class': ({ socket }) => `connected(new net.Socket().connect(${JSON.stringify(socket)}))`,
  'a socket of the class of its pipe': ({ socket }) =>
    `connected(new pipe.constructor().connect({ path: ${JSON.stringify(socket)} }))`,
  'a handle of the class of its pipe': ({ socket }) =>
    `new pipe._handle.constructor(0).connect({}, ${JSON.stringify(socket)})`,
  'a server': ({ folder }) => `listening(net.createServer().listen(${JSON.stringify(`${folder}/made`)}))`,
  'an open handle': () => `process._getActiveHandles()`,
  'the web': () => `fetch('http://127.0.0.1:1')`,
  'a web socket': () => `new WebSocket('ws://127.0.0.1:1')`,
  'a thread': () => `threads === null ? null : new threads.Worker('1', { eval: true })`,
};

/** A script in the place of the host's own, which stands beside it as `real-host.cjs`, and what it tries. */
export function reaching(targets: Targets): { readonly script: string; readonly names: readonly string[] } {
  const tries = Object.entries(WAYS).map(([name, way]) => `attempt(${JSON.stringify(name)}, () => ${way(targets)});`);
  return {
    names: Object.keys(WAYS),
    script: `
const fs = require('node:fs'), net = require('node:net'), child = require('node:child_process');
let threads = null; try { threads = require('node:worker_threads'); } catch {}
const say = process._rawDebug;
const told = (name, how) => say('tried ' + name + ': ' + how);
const attempt = (name, way) => {
  const refused = (error) => told(name, 'refused ' + String(error?.message ?? error).split('\\n')[0]);
  try {
    const got = way();
    if (got instanceof Error) refused(got);
    else if (typeof got?.then === 'function') got.then(() => told(name, 'reached'), refused);
    else if (got === null) told(name, 'refused');
    else told(name, 'reached');
  } catch (error) { refused(error); }
};
const connected = (socket) =>
  new Promise((resolve, reject) => { socket.once('connect', resolve).once('error', reject); });
const listening = (server) =>
  new Promise((resolve, reject) => { server.once('listening', resolve).once('error', reject); });
let pipe = null;
const on = net.Socket.prototype.on;
net.Socket.prototype.on = function (...rest) { pipe ??= this; return on.apply(this, rest); };
require('./real-host.cjs');
${tries.join('\n')}
`,
  };
}
