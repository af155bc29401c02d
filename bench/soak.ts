/**
 * A soak, by hand and in no other run: `node bench/soak.ts [MINUTES]`, 5 by default. Mixed load on one supervisor, with calls of
 * models and tools, whose processes (sandboxes, servers of tools) are killed now and then; what it holds is told every ten seconds, then how it grew with the runs, and
 * whether all is as before once it is closed. Ends with status 1 where it is not.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSupervisor, defineCustomInstallation, directoryArtifacts, directoryJournal } from '../supervisor/api/supervisor.ts';
import { startSoakServers } from './soak-servers.ts';
import type { ApplicationReference, PreparedApplication, RunRequest, Supervisor } from '../supervisor/api/supervisor.ts';

const MINUTES = Number(process.argv[2] ?? 5);
const SAMPLE_MS = 10_000;
const KILL_MS = 15_000;
/** Runs that are under way or wait. */
const AT_ONCE = 24;
const TENANTS = 7;
const [COLLECTIONS, COLLECTED_MS] = [5, 50];

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

interface Holdings {
  readonly residentMb: number;
  readonly heapMb: number;
  readonly descriptors: number;
  readonly children: number;
  readonly timers: number;
}

const folder = mkdtempSync(join(tmpdir(), 'svc-soak-'));
const servers = await startSoakServers(folder);

/** Of the supervisor. */
function children(): readonly number[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').trim().split(' ').filter((pid) => pid !== '').map(Number).filter((pid) => !servers.pids.has(pid));
}

/** What finalisers let go of is collected by the next round. */
async function holdings(): Promise<Holdings> {
  for (let round = 0; round < COLLECTIONS; round += 1) {
    collect();
    await after(COLLECTED_MS);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    residentMb: rss / 1e6,
    heapMb: (heapUsed + external) / 1e6,
    descriptors: readdirSync('/proc/self/fd').length,
    children: children().length,
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
  };
}

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const tools = defineCustomInstallation({
  alias: 'tools', revision: 'r1', destinations: ['workflow', 'mission'],
  capabilities: [
    { name: 'work', description: 'Works.', effect: 'read', inputSchema: true, timeoutMs: 60_000, call: async () => after(2, null) },
    { name: 'keep', description: 'Writes.', effect: 'write', inputSchema: true, timeoutMs: 60_000, call: () => 1 },
  ],
});

/** An application of the mix: what it does, and which of the servers its mission and its workflow have besides `tools`. */
interface Kind {
  readonly body: string;
  readonly servers?: readonly string[];
  readonly model?: true;
}

function application({ body, servers: others = [], model }: Kind): ApplicationReference {
  const manifest = {
    version: 1,
    workflow: { entry: 'main/run', components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }] },
    missions: { m: { providers: ['tools', ...others] } },
    providers: { workflow: [{ name: 'tools' }, ...(model === true ? [{ name: 'small' }] : [])], mission: ['tools', ...others].map((name) => ({ name })) },
    limits: { run_duration_ms: 120_000, workflow_timeout_ms: 120_000 },
    input: { value: { n: 1 } },
  };
  return { kind: 'memory', host: servers.host, files: new Map([['svc.json', bytes(manifest)], ['main.clj', bytes(`(ns main)\n(defn run [input] ${body})\n`)]]), custom: [tools] };
}

/** What a run of the mix does, and what it is asked besides. */
/** Ends the run where the answer is another one: the figures tell how many. */
const answered = (status: string, form: string): string => `(let [status ${form}] (if (= ${status} status) 1 (throw (ex-info (str "answered " status) {}))))`;
const ask = (content: string, status = ':ok'): string => answered(status, `(:status (tool/llm-request {:messages [{:role "user" :content "${content}"}]}))`);
const lookUp = answered('"ok"', '(get (kernel/eval-source "m" "(:status (tool/look-up {:n 1}))") :value)');
const MIX: readonly (readonly [what: string | Kind, request: RunRequest, isCancelled?: true])[] = [
  [{ body: ask('good morning'), model: true }, {}],
  [{ body: `(pmap (fn [n] ${ask('good morning')}) (range 4))`, model: true }, { artifacts: { trace: true, inspection: true } }],
  [{ body: ask('refuse', ':error'), model: true }, {}],
  [{ body: lookUp, servers: ['far'] }, { artifacts: { trace: true } }],
  [{ body: `(dotimes [n 3] ${lookUp})`, servers: ['near'] }, {}],
  ['(count input)', {}],
  ['(count input)', { artifacts: { trace: true, inspection: true, result: true } }],
  ['(dotimes [n 3] (kernel/eval-source-with "m" "(do (def a 1) (tool/work {:n data/params}))" n))', {}],
  ['(pmap (fn [n] (tool/work {:n n})) (range 4))', {}],
  ['(tool/keep {})', { artifacts: { trace: true } }],
  ['(throw (ex-info "no" {}))', {}],
  ['(kernel/eval-source-with "m" "(apply str (repeat 100000 data/params))" 1)', { inputClass: 'private' }],
  ['(loop [] (recur))', { deadlineMs: 400 }],
  ['(loop [] (recur))', {}, true],
];

let runs = 0;
/** Of the loads, those that are between two runs while a sample is taken, and until when. */
const pause: { resting: number; end: PromiseWithResolvers<void> | null } = { resting: 0, end: null };
const ends = new Map<string, number>();

async function load(supervisor: Supervisor, prepared: readonly PreparedApplication[], until: number): Promise<void> {
  for (let turn = 0; performance.now() < until; turn += 1) {
    if (pause.end !== null) {
      pause.resting += 1;
      await pause.end.promise;
      pause.resting -= 1;
    }
    const which = (turn * 31 + runs) % MIX.length;
    const [, request, isCancelled] = MIX[which] ?? ['', {}];
    const what = prepared[which];
    if (what === undefined) throw new Error('each of the mix is prepared');
    const run = supervisor.run(what, { ...request, tenant: `t${runs % TENANTS}` });
    runs += 1;
    if (isCancelled === true) await after(50).then(async () => run.cancel());
    const end = await run.result;
    const how = end.kind === 'refused' ? end.code : end.envelope.status === 'ok' ? 'ok' : end.envelope.error.code;
    const name = `${which} ${how}`;
    ends.set(name, (ends.get(name) ?? 0) + 1);
  }
}

/** What is held while no run is under way: what those of the moment need would hide what earlier ones left. */
async function quietHoldings(until: number): Promise<Holdings> {
  const ended = Promise.withResolvers<void>();
  pause.end = ended;
  while (pause.resting < AT_ONCE && performance.now() < until) await after(10);
  const quiet = await holdings();
  pause.end = null;
  ended.resolve();
  return quiet;
}

async function killHosts(until: number): Promise<number> {
  for (let killed = 0; ; killed += 1) {
    await after(Math.min(KILL_MS, Math.max(0, until - performance.now())));
    if (performance.now() >= until) return killed;
    const pids = children();
    const pid = pids[killed % Math.max(1, pids.length)];
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  }
}

interface Sample extends Holdings {
  readonly runs: number;
}

/** Of a line through the samples: megabytes for each thousand runs. */
function slope(samples: readonly Sample[], of: 'residentMb' | 'heapMb'): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(samples.map((sample) => sample.runs)), mean(samples.map((sample) => sample[of]))];
  const upper = samples.reduce((sum, sample) => sum + (sample.runs - x) * (sample[of] - y), 0);
  return (1000 * upper) / samples.reduce((sum, sample) => sum + (sample.runs - x) ** 2, 0);
}

const shown = ({ residentMb, heapMb, descriptors, children: processes, timers }: Holdings): string =>
  `${residentMb.toFixed(0)} MB resident, ${heapMb.toFixed(1)} MB of heap, ${descriptors} descriptors, ${processes} children, ${timers} timers`;

const programDirectory = join(import.meta.dirname, '../dist');
// What a process opens once and keeps is no loss of a supervisor's.
await (await createSupervisor({ programDirectory })).close();
const before = await holdings();
process.stdout.write(`before: ${shown(before)}\n`);
const samples: Sample[] = [];
const supervisor = await createSupervisor({
  programDirectory,
  stores: { artifacts: directoryArtifacts(join(folder, 'left')), journal: directoryJournal(join(folder, 'runs')) },
  limits: { maxRuns: 12, maxQueued: 1000 },
});
const prepared = await Promise.all(MIX.map(([what]) => supervisor.prepare(application(typeof what === 'string' ? { body: what } : what))));
const end = performance.now() + MINUTES * 60_000;
const killing = killHosts(end);
const loads = Array.from({ length: AT_ONCE }, () => load(supervisor, prepared, end));
while (performance.now() < end) {
  await after(Math.min(SAMPLE_MS, Math.max(0, end - performance.now())));
  if (performance.now() >= end) break;
  const sample = { ...(await quietHoldings(end)), runs };
  samples.push(sample);
  process.stdout.write(`${runs} runs: ${shown(sample)}\n`);
}
await Promise.all(loads);
process.stdout.write(`ends, by number in the mix: ${[...ends].toSorted(([left], [right]) => Number.parseInt(left, 10) - Number.parseInt(right, 10)).map(([how, count]) => `${how} ${count}`).join(', ')}; ${await killing} processes killed\n`);
// What the first half fills is kept on purpose.
const later = samples.slice(Math.floor(samples.length / 2));
process.stdout.write(`later half, for each thousand runs: ${slope(later, 'residentMb').toFixed(2)} MB resident, ${slope(later, 'heapMb').toFixed(2)} MB of heap\n`);
await supervisor.close();
const left = await holdings();
await servers.close();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`after: ${shown(left)}\n`);
const isAsBefore = left.children <= before.children && left.timers <= before.timers && left.descriptors <= before.descriptors;
process.stdout.write(isAsBefore ? 'descriptors, children and timers are as before\n' : 'descriptors, children or timers are more than before\n');
process.exitCode = isAsBefore ? 0 : 1;
