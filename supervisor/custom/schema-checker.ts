import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as Comlink from 'comlink';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { jsonFromPlain, plainFromJson } from '../../contract/json/plain.ts';
import { isJsonArray, isJsonObject } from '../../contract/json/value.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { Verdict } from '../broker/capability.ts';
import type { BoundedSchema } from './schema.ts';
import type { SchemaThread } from './schema-thread.ts';
import { threadEndpoint } from './thread-endpoint.ts';
import type { Violation } from './violation.ts';

/** Checks values: small ones of simple schemas at once, all others in a thread that is ended when one takes too long. */
export interface SchemaChecker {
  check(schema: BoundedSchema, value: JsonValue, timeoutMs: number): Promise<Verdict>;
  /** Ends the thread. */
  close(): Promise<void>;
}

/** One value at most, however much time its caller has: the thread is shared. Generous, for a machine that is busy. */
const CHECK_MS = 5000;
/** A thread that has not answered its first question by then does not start; the same for a schema that it is to learn. */
const START_MS = 10_000;
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

interface Thread {
  readonly worker: Worker;
  readonly remote: Comlink.Remote<SchemaThread>;
  /** Keys of the schemas that it holds. */
  readonly known: Set<string>;
  readonly lost: Promise<'lost'>;
}

/** Opens the first thread with the first value. Values are checked one after the other, in the order of the questions. */
export function openSchemaChecker(): SchemaChecker {
  let thread: Thread | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  const checkNow = async (schema: BoundedSchema, value: JsonValue, timeoutMs: number): Promise<Verdict> => {
    thread ??= await startThread();
    const using = thread;
    // A schema is the embedding program's: learning it takes nothing from the time of a value.
    if (!using.known.has(schema.key)) await answerWithin(START_MS, using, () => using.remote.check(schema.key, schema.text, 'null'));
    using.known.add(schema.key);
    const answer = await answerWithin(Math.min(CHECK_MS, timeoutMs), using, () => using.remote.check(schema.key, null, canonicalJson(value)));
    if (answer !== 'lost' && answer !== null) return verdict(answer);
    // Whatever it was doing goes with it.
    if (thread === using) thread = null;
    await using.worker.terminate();
    return { status: 'unavailable' };
  };

  return {
    check: (schema, value, timeoutMs) => {
      if (schema.isAnything) return Promise.resolve({ status: 'valid' });
      if (schema.check !== null && isSmall(value)) return Promise.resolve(verdict(schema.check(plainFromJson(value))));
      const checked = queue.then(() => checkNow(schema, value, timeoutMs));
      queue = checked;
      return checked;
    },
    close: async () => {
      await queue;
      await thread?.worker.terminate();
      thread = null;
    },
  };
}

/** Nothing of a program is in its first question, so that the time of its start is nobody's. */
async function startThread(): Promise<Thread> {
  const worker = new Worker(join(import.meta.dirname, 'schema-thread.ts'), { resourceLimits: MEMORY, env: {} });
  worker.unref();
  const lost = new Promise<'lost'>((resolve) => {
    worker.once('error', () => resolve('lost'));
    worker.once('exit', () => resolve('lost'));
  });
  const thread: Thread = { worker, remote: Comlink.wrap<SchemaThread>(threadEndpoint(worker)), known: new Set(), lost };
  await answerWithin(START_MS, thread, () => thread.remote.check('any', 'true', 'null'));
  return thread;
}

/** Null when the thread threw: its stack or its memory was not enough for the value. */
async function answerWithin<T>(milliseconds: number, { worker, lost }: Thread, ask: () => Promise<T>): Promise<T | 'lost' | null> {
  // Only a question that waits keeps the process alive.
  worker.ref();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'lost'>((resolve) => {
    timer = setTimeout(() => resolve('lost'), milliseconds);
  });
  try {
    return await Promise.race([ask(), lost, late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
    worker.unref();
  }
}

/** Characters and parts of a value that is checked at once: with the largest simple schema a few milliseconds at most. */
const SMALL = 1024;

/** Looks at no more of a value than may be small. */
function isSmall(value: JsonValue): boolean {
  let left = SMALL;
  const take = (part: JsonValue): boolean => {
    left -= typeof part === 'string' ? part.length + 1 : 1;
    if (left < 0) return false;
    if (isJsonArray(part)) return part.every(take);
    return !isJsonObject(part) || [...part].every(([key, member]) => (left -= key.length) >= 0 && take(member));
  };
  return take(value);
}

function verdict(violations: readonly Violation[]): Verdict {
  if (violations.length === 0) return { status: 'valid' };
  const told = violations.map((violation) => jsonFromPlain(violation)).filter((violation) => violation !== undefined);
  return { status: 'invalid', violations: told };
}

let shared: SchemaChecker | null = null;

/** The checker of this process: every run asks the same thread. */
export function sharedSchemaChecker(): SchemaChecker {
  shared ??= openSchemaChecker();
  return shared;
}
