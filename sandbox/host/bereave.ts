import { registerHooks } from 'node:module';
import { Server, Socket } from 'node:net';

/**
 * What a host takes away from its own process before it loads a guest. Node's permissions (sandbox/pool/node-flags.ts)
 * know files, child processes, threads and the inspector; they do not know the network, databases (node:sqlite opens
 * and makes files as it likes), signals to others or libraries that are loaded later. A guest has none of that either:
 * this is for JavaScript that has left its isolate. Native code is held by the system alone
 * (sandbox/pool/confinement.ts).
 */

/** Functions of `process` that a host, or node below it, still needs; all others go. */
const ALLOWED_FUNCTIONS: ReadonlySet<string> = new Set([
  '_fatalException',
  '_rawDebug',
  '_tickCallback',
  'abort',
  'availableMemory',
  'constrainedMemory',
  'cpuUsage',
  'cwd',
  'emitWarning',
  'exit',
  'getActiveResourcesInfo',
  'getegid',
  'geteuid',
  'getgid',
  'getgroups',
  'getuid',
  'hasUncaughtExceptionCaptureCallback',
  'hrtime',
  'memoryUsage',
  'nextTick',
  'reallyExit',
  'ref',
  'resourceUsage',
  'setSourceMapsEnabled',
  'setUncaughtExceptionCaptureCallback',
  'threadCpuUsage',
  'unref',
  'uptime',
]);
/** What else of it leads further. */
const LEADING: ReadonlySet<string> = new Set(['mainModule', 'permission', 'report', 'finalization']);
const GLOBALS: readonly string[] = [
  'fetch',
  'WebSocket',
  'EventSource',
  'Request',
  'Response',
  'Headers',
  'FormData',
  'BroadcastChannel',
  'WebAssembly',
  'navigator',
  'Navigator',
];
/** By which a socket, or its handle, becomes more than the pipe that it was made for. */
const REACHING: readonly string[] = [
  'connect',
  'connect6',
  'bind',
  'bind6',
  'listen',
  '_listen2',
  'open',
  'fchmod',
  'bindToDevice',
];

/**
 * From here on this process loads nothing any more, and reaches nobody but by the pipe that it is given
 * (`closeHandle`).
 */
export function bereaveProcess(): void {
  for (const name of Object.getOwnPropertyNames(process)) {
    // A member that is computed when it is read is not read for this.
    const value: unknown = Object.getOwnPropertyDescriptor(process, name)?.value;
    if (LEADING.has(name) || (typeof value === 'function' && !ALLOWED_FUNCTIONS.has(name)))
      Reflect.deleteProperty(process, name);
  }
  for (const name of GLOBALS) Reflect.deleteProperty(globalThis, name);
  for (const made of [Socket.prototype, Server.prototype]) closeReaching(made);
  registerHooks({ resolve: refuse, load: refuse });
}

/** As much of the system's side of a pipe. */
export function closeHandle(pipe: Socket): void {
  const handle: unknown = Reflect.get(pipe, '_handle');
  if (typeof handle === 'object' && handle !== null) closeReaching(Object.getPrototypeOf(handle));
}

function closeReaching(prototype: object): void {
  for (const name of REACHING) {
    if (!(name in prototype)) continue;
    Object.defineProperty(prototype, name, { value: refuse, writable: false, configurable: false });
  }
}

function refuse(): never {
  throw new Error('a sandbox host has none of this');
}
