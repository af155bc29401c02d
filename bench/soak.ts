/**
 * A soak, by hand and in no other run: `node bench/soak.ts [MINUTES]`, 5 by default. Mixed load of six tenants on one
 * supervisor, three of them hostile, with calls of models and tools; processes (sandboxes, servers of tools) are killed
 * now and then. What it holds is printed every thirty seconds, then how that grew with the runs, which honest runs were
 * disturbed and what they took beside the others and alone, and whether all is as before once it is closed. Ends with
 * status 1 where it is not, or where an honest run was disturbed.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  createSupervisor,
  defineCustomInstallation,
  openDirectoryArtifacts,
  openDirectoryJournal,
  type ApplicationReference,
  type RunRequest,
  type Supervisor,
} from '../supervisor/api/supervisor.ts';
import { startSoakServers } from './soak-servers.ts';
import {
  type MixedRun,
  HONEST,
  HOSTILE,
  HOSTILE_BODIES,
  Honest,
  LOADS,
  outcomeOf,
  runHostile,
} from './soak-tenants.ts';

const MINUTES = Number(process.argv[2] ?? 5);
const SAMPLE_MS = 30_000;
const KILL_MS = 15_000;
/** Runs that are under way or wait. */
const AT_ONCE = HONEST.length * LOADS.honest + HOSTILE.length * LOADS.hostile;
/** Of the time the honest tenants are by themselves first, to compare with. */
const ALONE = 0.2;
/** The kind of the mix that fails, and as what; all others end well. */
const [FAILING, FAILURE] = [10, 'evaluation_failed'];
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
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1')
    .trim()
    .split(' ')
    .filter((pid) => pid !== '')
    .map(Number)
    .filter((pid) => !servers.pids.has(pid));
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

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const tools = defineCustomInstallation({
  alias: 'tools',
  revision: 'r1',
  destinations: ['workflow', 'mission'],
  capabilities: [
    {
      name: 'work',
      description: 'Works.',
      effect: 'read',
      inputSchema: true,
      timeoutMs: 60_000,
      call: async () => after(2, null),
    },
    { name: 'keep', description: 'Writes.', effect: 'write', inputSchema: true, timeoutMs: 60_000, call: () => 1 },
  ],
});

/**
 * An application of the mix: what it does, and which of the servers its mission and its workflow have besides `tools`.
 */
interface Kind {
  readonly body: string;
  readonly servers?: readonly string[];
  readonly model?: true;
}

function application({ body, servers: others = [], model }: Kind): ApplicationReference {
  const manifest = {
    version: 1,
    workflow: {
      entry: 'main/run',
      components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
    },
    missions: { m: { providers: ['tools', ...others] } },
    providers: {
      workflow: [{ name: 'tools' }, ...(model === true ? [{ name: 'small' }] : [])],
      mission: ['tools', ...others].map((name) => ({ name })),
    },
    limits: { run_duration_ms: 120_000, workflow_timeout_ms: 120_000 },
    input: { value: { n: 1 } },
  };
  return {
    kind: 'memory',
    host: servers.host,
    files: new Map([
      ['svc.json', bytes(manifest)],
      ['main.clj', bytes(`(ns main)\n(defn run [input] ${body})\n`)],
    ]),
    custom: [tools],
  };
}

/** What a run of the mix does, and what it is asked besides. */
/** Ends the run where the answer is another one: the figures tell how many. */
const answered = (status: string, form: string): string =>
  `(let [status ${form}] (if (= ${status} status) 1 (throw (ex-info (str "answered " status) {}))))`;
const ask = (content: string, status = ':ok'): string =>
  answered(status, `(:status (tool/llm-request {:messages [{:role "user" :content "${content}"}]}))`);
const lookUp = answered('"ok"', '(get (kernel/eval-source "m" "(:status (tool/look-up {:n 1}))") :value)');
const MIX: readonly (readonly [what: string | Kind, request: RunRequest])[] = [
  [{ body: ask('good morning'), model: true }, {}],
  [
    { body: `(pmap (fn [n] ${ask('good morning')}) (range 4))`, model: true },
    { artifacts: { trace: true, inspection: true } },
  ],
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
];

let runs = 0;
/** Of the loads, those that are between two runs while a sample is taken, and until when. */
const pause: { resting: number; end: PromiseWithResolvers<void> | null } = { resting: 0, end: null };
const ends = new Map<string, number>();

async function rest(): Promise<void> {
  if (pause.end === null) return;
  pause.resting += 1;
  await pause.end.promise;
  pause.resting -= 1;
}

function count(tenant: string, how: string): void {
  const name = `${tenant} ${how}`;
  ends.set(name, (ends.get(name) ?? 0) + 1);
  runs += 1;
}

async function loadHonest(mix: readonly MixedRun[], tenant: string, until: number): Promise<void> {
  for (let turn = 0; performance.now() < until; turn += 1) {
    await rest();
    const which = (turn * 31 + runs) % mix.length;
    const mixedRun = mix[which];
    if (mixedRun === undefined) throw new Error('each of the mix is prepared');
    const began = performance.now();
    const end = await supervisor.run(mixedRun.application, { ...mixedRun.request, tenant }).result;
    honest.ended(which, end, began);
    count(tenant, outcomeOf(end));
  }
}

function honestLoads(until: number): readonly Promise<void>[] {
  return HONEST.flatMap((tenant) => Array.from({ length: LOADS.honest }, () => loadHonest(mix, tenant, until)));
}

async function loadHostile(mix: readonly MixedRun[], tenant: string, until: number): Promise<void> {
  for (let turn = 0; performance.now() < until; turn += 1) {
    await rest();
    const mixedRun = mix[(turn * 5 + runs) % mix.length];
    if (mixedRun === undefined) throw new Error('each of the mix is prepared');
    count(tenant, outcomeOf(await runHostile(supervisor, mixedRun, tenant)));
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
    if (pid === undefined) continue;
    honest.killed();
    process.kill(pid, 'SIGKILL');
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
const supervisor: Supervisor = await createSupervisor({
  programDirectory,
  stores: {
    artifacts: openDirectoryArtifacts(join(folder, 'left')),
    journal: openDirectoryJournal(join(folder, 'runs')),
  },
  limits: { maxRuns: AT_ONCE, maxQueued: 1000 },
});
const prepare = async (what: string | Kind, request: RunRequest = {}): Promise<MixedRun> => ({
  application: await supervisor.prepare(application(typeof what === 'string' ? { body: what } : what)),
  request,
});
const mix = await Promise.all(MIX.map(([what, request]) => prepare(what, request)));
const hostileMix = await Promise.all(HOSTILE_BODIES.map((body) => prepare(body)));
const honest = new Honest(mix.map((_, which) => (which === FAILING ? FAILURE : 'ok')));
const aloneEnd = performance.now() + ALONE * MINUTES * 60_000;
await Promise.all(honestLoads(aloneEnd));
honest.neighboursCame();
const end = performance.now() + (1 - ALONE) * MINUTES * 60_000;
const killing = killHosts(end);
const loads = [
  ...honestLoads(end),
  ...HOSTILE.flatMap((tenant) => Array.from({ length: LOADS.hostile }, () => loadHostile(hostileMix, tenant, end))),
];
while (performance.now() < end) {
  await after(Math.min(SAMPLE_MS, Math.max(0, end - performance.now())));
  if (performance.now() >= end) break;
  const sample = { ...(await quietHoldings(end)), runs };
  samples.push(sample);
  process.stdout.write(`${runs} runs: ${shown(sample)}\n`);
}
await Promise.all(loads);
const sorted = [...ends]
  .toSorted(([left], [right]) => (left < right ? -1 : 1))
  .map(([how, times]) => `${how} ${times}`);
process.stdout.write(`ends: ${sorted.join(', ')}; ${await killing} processes killed\n${honest.report()}`);
// What the first half fills is kept on purpose.
const later = samples.slice(Math.floor(samples.length / 2));
process.stdout.write(
  `later half, for each thousand runs: ${slope(later, 'residentMb').toFixed(2)} MB resident, ${slope(later, 'heapMb').toFixed(2)} MB of heap\n`,
);
await supervisor.close();
const left = await holdings();
await servers.close();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`after: ${shown(left)}\n`);
const isAsBefore =
  left.children <= before.children && left.timers <= before.timers && left.descriptors <= before.descriptors;
process.stdout.write(
  isAsBefore
    ? 'descriptors, children and timers are as before\n'
    : 'descriptors, children or timers are more than before\n',
);
process.exitCode = isAsBefore && honest.disturbed() === 0 ? 0 : 1;
