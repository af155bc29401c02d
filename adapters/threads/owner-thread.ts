import * as Comlink from 'comlink';
import { Worker } from 'node:worker_threads';
import { endingOf, type Ending } from '../../system/ending.ts';
import { threadEndpoint } from './thread-endpoint.ts';

/** An object of another thread, as this one calls it. */
export type Remote<T> = {
  readonly [K in keyof T]: T[K] extends (...input: infer G) => infer R ? (...input: G) => Promise<Awaited<R>> : never;
};

/** A thread that owns what outlives the workers that use it: sockets, children, secrets. */
export interface Owner<T> {
  readonly remote: Remote<T>;
  /** The end of the thread. */
  readonly lost: Ending<void>;
}

/** Such a thread, started when it is first asked for, and again when it was lost. */
export interface OwnerThread<T> {
  get(): Owner<T>;
  close(): Promise<void>;
}

/** Megabytes of the thread: what servers send is bounded, and handed on as it comes. */
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

/** `T` is what the file exposes over its parent port. */
export function ownerThread<T extends object>(file: string): OwnerThread<T> {
  let opened: (Owner<T> & { readonly thread: Worker }) | null = null;

  function open(): Owner<T> & { readonly thread: Worker } {
    const thread = new Worker(file, { env: {}, resourceLimits: MEMORY });
    // It keeps nobody from ending: sessions are closed before their process is.
    thread.unref();
    const lost = endingOf(
      new Promise<void>((resolve) => {
        thread.once('exit', () => {
          opened = null;
          resolve();
        });
      }),
    );
    thread.on('error', () => undefined);
    const remote: Remote<T> = remoteOf(thread);
    return { thread, remote, lost };
  }

  return {
    get: () => (opened ??= open()),
    close: async () => {
      await opened?.thread.terminate();
    },
  };
}

/** Only functions cross, and each of them becomes one that is waited for. */
function remoteOf<T extends object>(thread: Worker): Remote<T> {
  const wrapped: unknown = Comlink.wrap<T>(threadEndpoint(thread));
  return Object(wrapped);
}
