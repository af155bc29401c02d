/** What an isolate costs, measured through the pool as the supervisor uses it. Sources are programs of the sandbox's guest. */
import { readdirSync, readFileSync } from 'node:fs';
import type { EvaluateRequest } from '../contract/sandbox-protocol.ts';
import type { Isolate, Sandbox } from '../sandbox/pool/interface.ts';

const HEAP_WORDS = 1_250_000;
const TIMEOUT_MS = 60_000;

export function evaluation(source: string, tools: readonly string[] = []): EvaluateRequest {
  return { operation: 'evaluate', environment: 'mission', source, data: {}, tools, loop_iterations: null, projection: 'json' };
}

async function evaluate(isolate: Isolate, source: string): Promise<void> {
  const outcome = await isolate.request(evaluation(source), { timeoutMs: TIMEOUT_MS });
  if (outcome.status !== 'replied' || outcome.reply.outcome === 'evaluation_error') throw new Error(JSON.stringify(outcome));
}

function openIsolate(sandbox: Sandbox, trustDomain: string): Promise<Isolate> {
  return sandbox.openIsolate({ environment: 'mission', trustDomain, heapWords: HEAP_WORDS });
}

/** Milliseconds from asking for an isolate to the value of its first evaluation, in a warm host. */
export async function firstValueMs(sandbox: Sandbox, source: string, rounds: number): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    const isolate = await openIsolate(sandbox, 'first-value');
    await evaluate(isolate, source);
    samples.push(performance.now() - started);
    await isolate.dispose();
  }
  return samples;
}

/** Isolates per second that are opened, give a value and are disposed of, over so many hosts. */
export async function isolatesPerSecond(sandbox: Sandbox, source: string, plan: { readonly hosts: number; readonly lanes: number; readonly each: number }): Promise<number> {
  const lane = async (host: number, count: number): Promise<void> => {
    for (let done = 0; done < count; done += 1) {
      const isolate = await openIsolate(sandbox, `rate-${host}`);
      await evaluate(isolate, source);
      await isolate.dispose();
    }
  };
  const lanes = (count: number): Promise<void[]> =>
    Promise.all(Array.from({ length: plan.hosts * plan.lanes }, (_, index) => lane(index % plan.hosts, count)));
  await lanes(5);
  const started = performance.now();
  await lanes(plan.each);
  return (plan.hosts * plan.lanes * plan.each * 1000) / (performance.now() - started);
}

/** Resident bytes that each of so many idle isolates adds to its host; `marker` is a text of the host's command line. */
export async function idleBytesEach(sandbox: Sandbox, source: string, count: number, marker: string): Promise<number> {
  const first = await openIsolate(sandbox, 'idle');
  await evaluate(first, source);
  const before = residentBytes(marker);
  const isolates: Isolate[] = [];
  for (let opened = 0; opened < count; opened += 1) {
    const isolate = await openIsolate(sandbox, 'idle');
    await evaluate(isolate, source);
    isolates.push(isolate);
  }
  const each = (residentBytes(marker) - before) / count;
  await Promise.all([first, ...isolates].map((isolate) => isolate.dispose()));
  return each;
}

/** Microseconds from one arrival of a capability call to the next, with an answer that costs nothing. */
export async function roundTripMicroseconds(sandbox: Sandbox, program: { readonly source: string; readonly tool: string; readonly answer: string }): Promise<number[]> {
  const isolate = await openIsolate(sandbox, 'round-trip');
  const arrivals: number[] = [];
  const outcome = await isolate.request(evaluation(program.source, [program.tool]), {
    timeoutMs: TIMEOUT_MS,
    onCapabilityCall() {
      arrivals.push(performance.now());
      return Promise.resolve(program.answer);
    },
  });
  if (outcome.status !== 'replied' || outcome.reply.outcome === 'evaluation_error') throw new Error(JSON.stringify(outcome));
  await isolate.dispose();
  return arrivals.slice(1).map((arrival, index) => (arrival - (arrivals[index] ?? arrival)) * 1000);
}

function residentBytes(marker: string): number {
  let bytes = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker)) continue;
      bytes += Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
    } catch (error) {
      // A process may end between the listing and the reading.
      if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))) throw error;
    }
  }
  return bytes;
}
