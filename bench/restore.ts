/**
 * A megabyte of definitions of each shape, restored in a fresh isolate of the product through its pool, and written
 * again.
 */
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { StoredContinuation, Resumption } from '../contract/sandbox-protocol.ts';
import type { Isolate, Sandbox } from '../sandbox/pool/interface.ts';
import { startSandbox } from '../sandbox/pool/pool.ts';
import { against, type Figure, median } from './figure.ts';
import { FLOOR, type Shape, SHAPES } from './restore-shapes.ts';

const dist = join(import.meta.dirname, '../dist');
const MEGABYTE = 1_000_000;
const ROUNDS = 7;
/** Of a shape's first programs, which tell how long one of it is. */
const SAMPLE = 4000;
const LIMITS = { memory_bytes: 16 * MEGABYTE, history_bytes: MEGABYTE };
const HEAP_WORDS = 64_000_000;
/** Milliseconds in which a host makes its spare isolate. */
const PAUSE = 25;
/**
 * As often as the engine takes to read as much of its own format, warm, a megabyte may take to be there again in a
 * fresh isolate.
 */
const MOST = 16;
/**
 * The same of 100,000 keywords, each of which goes through the table of all there are: it is parted, so that no piece
 * of it can be too large for the heap.
 */
const MOST_INTERNED = 25;

async function evaluate(isolate: Isolate, source: string, continuation: Resumption): Promise<StoredContinuation> {
  const request = {
    operation: 'evaluate',
    environment: 'mission',
    source,
    data: {},
    tools: [],
    loop_iterations: null,
    projection: 'printed',
    continuation,
    commit: LIMITS,
    omits_unchanged: true,
  } as const;
  const outcome = await isolate.request(request, { timeoutMs: 30_000 });
  if (outcome.status !== 'replied') throw new Error(outcome.status);
  const { reply } = outcome;
  if (reply.outcome === 'evaluation_error' || reply.continuation === undefined)
    throw new Error(`${source.slice(0, 200)}: ${JSON.stringify(reply).slice(0, 500)}`);
  return reply.continuation;
}

function openIsolate(sandbox: Sandbox): Promise<Isolate> {
  return sandbox.openIsolate({ environment: 'mission', trustDomain: 'restore', heapWords: HEAP_WORDS });
}

/** Changes the definitions, so that all of them are written again. */
const TOUCH = '(def touched 1) nil';

interface Defined {
  readonly stored: StoredContinuation;
  /** The definitions after `TOUCH`, from the isolate that made them. */
  readonly touched: string;
}

async function defined(sandbox: Sandbox, { sources }: Shape, count: number): Promise<Defined> {
  const isolate = await openIsolate(sandbox);
  let storedContinuation: StoredContinuation | null = null;
  for (const source of sources(count))
    storedContinuation = await evaluate(isolate, source, storedContinuation === null ? null : 'living');
  const { definitions: touched } = await evaluate(isolate, TOUCH, 'living');
  await isolate.dispose();
  if (storedContinuation === null) throw new Error('a shape defines something');
  return { stored: storedContinuation, touched };
}

/** Definitions of some 1 MB: the length of one more is the same all the way, but for the digits of its number. */
async function megabyte(sandbox: Sandbox, shape: Shape): Promise<Defined> {
  let count = SAMPLE;
  let made = await defined(sandbox, shape, count);
  for (let round = 0; round < 3 && Math.abs(made.stored.memory_bytes - MEGABYTE) > MEGABYTE / 50; round += 1) {
    count = Math.round((count * MEGABYTE) / made.stored.memory_bytes);
    made = await defined(sandbox, shape, count);
  }
  return made;
}

interface Times {
  readonly restored: number[];
  readonly written: number[];
}

/**
 * In fresh isolates: an evaluation that restores, then one after which all is written again, as the first isolate wrote
 * it.
 */
async function times(
  sandbox: Sandbox,
  { continuation, touched: expected }: { readonly continuation: Resumption; readonly touched: string | null },
): Promise<Times> {
  const restored: number[] = [];
  const written: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const isolate = await openIsolate(sandbox);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const started = performance.now();
    await evaluate(isolate, 'nil', continuation);
    restored.push(performance.now() - started);
    const restarted = performance.now();
    const { definitions } = await evaluate(isolate, TOUCH, 'living');
    written.push(performance.now() - restarted);
    if (expected !== null && definitions !== expected) throw new Error('what is restored is written otherwise');
    await isolate.dispose();
  }
  return { restored, written };
}

/** What this engine takes for its own format: as many plain records as make a megabyte of it. */
function engineTime(): number {
  const bytes = serialize(
    Array.from({ length: 22_000 }, (_, id) => ({ id, name: `row ${id}`, state: id % 2 === 0 ? 'open' : 'closed' })),
  );
  const samples = Array.from({ length: 15 }, () => {
    const started = performance.now();
    deserialize(bytes);
    return ((performance.now() - started) * MEGABYTE) / bytes.length;
  });
  return median(samples);
}

export async function restoreFigures(): Promise<Figure[]> {
  const sandbox = startSandbox({
    hostScript: join(dist, 'sandbox-host.cjs'),
    guestImage: join(dist, 'guest.snapshot'),
    readableFolders: [dist],
    isolatesPerHost: 8,
  });
  const nothing = await times(sandbox, { continuation: null, touched: null });
  const figures: Figure[] = [
    {
      name: 'an evaluation without a continuation',
      value: median(nothing.restored),
      unit: 'ms',
      bound: null,
      detail: `next one ${median(nothing.written).toFixed(1)} ms`,
    },
  ];
  let floor = NaN;
  for (const shape of SHAPES) {
    const { stored, touched } = await megabyte(sandbox, shape);
    const { restored, written } = await times(sandbox, { continuation: stored, touched });
    const scale = MEGABYTE / stored.memory_bytes;
    const value = median(restored) * scale;
    if (shape.name === FLOOR) floor = value;
    const detail = `${(value / floor).toFixed(1)} times one text; written again in ${(median(written) * scale).toFixed(0)} ms; ${stored.memory_bytes} bytes`;
    figures.push(
      against(
        { name: 'v8.deserialize of as much', value: engineTime() },
        {
          name: `1 MB of ${shape.name}`,
          value,
          unit: 'ms',
          most: shape.name.includes('keywords') ? MOST_INTERNED : MOST,
          detail,
        },
      ),
    );
  }
  await sandbox.close();
  return figures;
}
