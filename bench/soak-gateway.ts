/**
 * A soak of a gateway, by hand and in no other run: `node bench/soak-gateway.ts [MINUTES]`, 5 by default. Five calls a
 * second, a tenth of which go away, one of its sandbox processes killed now and then; what the gateway holds is told
 * every ten seconds, then how that grew. Ends with status 1 where it was fenced, where a call was answered wrongly, or
 * where it does not end clean.
 */
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { freePort, messagesOf, modern, startTestGateway } from '../supervisor/test/gateway/gateway.ts';
import { ASK, WRITING } from '../supervisor/test/gateway/writing.ts';

const MINUTES = Number(process.argv[2] ?? 5);
const EVERY_MS = 200;
const SAMPLE_MS = 10_000;
const KILL_MS = 15_000;
const ENDLESS = '(ns main)\n(defn run [_] (loop [n 0] (recur (inc n))))\n';

interface Sample {
  readonly calls: number;
  readonly residentMb: number;
  readonly descriptors: number;
  readonly children: number;
}

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
    .trim()
    .split(' ')
    .filter((child) => child !== '')
    .map(Number);
const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
};

/** Sandbox processes below a process, those of a launcher included. */
function hostsBelow(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => (commandOf(child).includes('host') ? [child] : []));
}

const gateway = await startTestGateway(
  {
    ...WRITING,
    tools: { ...WRITING.tools, endless: { program: ENDLESS } },
    edit: (document) => ({
      ...WRITING.edit?.(document),
      artifacts: { root: 'artifacts', trace: true },
      private_audit: { directory: 'audit', max_file_bytes: 1_048_576, max_retained_files: 4 },
      admission: {
        max_inflight_requests: 64,
        max_concurrent_runs: 8,
        max_active_provider_calls: 4,
        max_waiting_provider_calls: 8,
      },
    }),
  },
  ['--metrics', String(await freePort())],
  (directory) => {
    for (const name of ['audit', 'artifacts']) mkdirSync(join(directory, name), { mode: 0o700 });
  },
);
const pid = gateway.child.pid ?? 0;
let calls = 0;
const ends = new Map<string, number>();
const count = (how: string): void => {
  ends.set(how, (ends.get(how) ?? 0) + 1);
};

async function call(nth: number): Promise<void> {
  const leaves = nth % 10 === 9;
  const name = leaves ? 'endless' : nth % 3 === 0 ? 'act' : 'echo';
  const going = new AbortController();
  const value = name === 'act' ? ASK : `value ${nth}`;
  try {
    const answer = fetch(gateway.url, {
      ...modern(
        'tools/call',
        { name, arguments: { value } },
        nth % 7 === 0 ? { meta: { 'svc/idempotency_key': `key ${nth}` } } : {},
      ),
      signal: going.signal,
    });
    if (leaves)
      setTimeout(
        () => {
          going.abort();
        },
        100 + (nth % 400),
      );
    const response = await answer;
    const text =
      response.headers.get('content-type')?.startsWith('text/event-stream') === true
        ? Object((await messagesOf(response)).at(-1))
        : Object(await response.json());
    count(
      text.error === undefined
        ? text.result.isError === true
          ? `tool error ${text.result['_meta']['svc/call'].code}`
          : 'ok'
        : `${response.status} ${text.error.data?.reason ?? text.error.code}`,
    );
  } catch {
    count(leaves ? 'gone' : 'broken');
  }
}

function holdings(): Sample {
  return {
    calls,
    residentMb: (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 1e6,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    children: childrenOf(pid).length,
  };
}

/** Of a line through the samples, for each thousand calls. */
function slope(samples: readonly Sample[], of: 'residentMb' | 'descriptors'): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(samples.map((sample) => sample.calls)), mean(samples.map((sample) => sample[of]))];
  return (
    (1000 * samples.reduce((sum, sample) => sum + (sample.calls - x) * (sample[of] - y), 0)) /
    samples.reduce((sum, sample) => sum + (sample.calls - x) ** 2, 0)
  );
}

const end = performance.now() + MINUTES * 60_000;
const going = new Set<Promise<void>>();
const samples: Sample[] = [];
let [nextSample, nextKill, killed] = [performance.now(), performance.now() + KILL_MS, 0];
while (performance.now() < end) {
  const one = call((calls += 1)).finally(() => going.delete(one));
  going.add(one);
  if (performance.now() >= nextKill) {
    nextKill += KILL_MS;
    const [host] = hostsBelow(pid).toSorted(() => Math.random() - 0.5);
    if (host !== undefined) {
      process.kill(host, 'SIGKILL');
      killed += 1;
    }
  }
  if (performance.now() >= nextSample) {
    nextSample += SAMPLE_MS;
    const sample = holdings();
    samples.push(sample);
    process.stdout.write(
      `${sample.calls} calls: ${sample.residentMb.toFixed(0)} MB resident, ${sample.descriptors} descriptors, ${sample.children} children\n`,
    );
  }
  await after(EVERY_MS);
}
await Promise.all(going);
const isReady = (await fetch(new URL('/health/ready', gateway.url))).status === 200;
const later = samples.slice(Math.floor(samples.length / 2));
process.stdout.write(
  `ends: ${[...ends].map(([how, number]) => `${how} ${number}`).join(', ')}; ${killed} sandbox processes killed\n`,
);
process.stdout.write(
  `later half, for each thousand calls: ${slope(later, 'residentMb').toFixed(2)} MB resident, ${slope(later, 'descriptors').toFixed(2)} descriptors\n`,
);
const { status } = await gateway.stop();
process.stdout.write(`${isReady ? 'ready' : 'fenced'} at the end, ended with ${status}\n`);
process.exitCode = isReady && status === 0 && !ends.has('broken') ? 0 : 1;
