import { utimesSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { startSandboxEarly, type EarlySandbox } from '../../../cli/process/early-sandbox.ts';
import { readTrace } from '../../evidence/reader/testing/read-trace.ts';
import { validEnvelope } from '../../../conformance/cli/envelope-check.ts';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from '../../../conformance/cli/work-directory.ts';
import { JOURNAL, STEPS, type Step } from './killing-file-system.ts';
import { DIST, useKilledRuns } from './killed-run.ts';
import { runProject } from './project-run.ts';

const SECRET = 'planted-7f3c';
const VALUE = JSON.stringify({ secret: SECRET, text: 'x'.repeat(4000) });
const FILES = {
  'svc.json': {
    version: 1,
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    input: { value: {} },
  },
  'p.json': {
    kind: 'svc-project',
    version: 1,
    application: { path: 'svc.json' },
    artifacts: { root: 'artifacts', trace: true, inspection: true, result: true, envelope: true },
  },
  'main.clj': `(ns main)\n(defn run [input] {:secret "${SECRET}" :text (apply str (repeat 4000 "x"))})\n`,
  'input.json': {},
};

describe('a run killed with SIGKILL at a step of its publication (runtime.md §12, §14)', function () {
  this.timeout(600_000);
  const runs = useKilledRuns();
  /** How often each step has an effect in a run that nobody kills. */
  const counts = new Map<boolean, Readonly<Record<string, number>>>();
  let sandbox: EarlySandbox | null = null;

  before(async () => {
    sandbox = await startSandboxEarly(DIST, {});
    for (const isPrivate of [false, true]) {
      const directory = makeWorkDirectory(FILES);
      const { stdout } = await runs.run(directory, { isPrivate, kill: null });
      const { exitStatus, counts: seen }: { exitStatus: number; counts: Record<string, number> } = JSON.parse(stdout);
      expect(exitStatus).to.equal(0);
      expect(
        Object.keys(seen).filter((step) => step !== JOURNAL && !STEPS.some((one) => one === step)),
        'steps without a test',
      ).to.deep.equal([]);
      counts.set(isPrivate, seen);
      removeWorkDirectory(directory);
    }
  });

  after(async () => {
    await sandbox?.close();
  });

  /**
   * The run after a kill: the program itself after the last effect of a step, what it consists of after the others,
   * which differ in what they find and not in how a process starts.
   */
  function nextRunOf({ isPrivate, isLast }: Pick<KilledAt, 'isPrivate' | 'isLast'>, directory: string) {
    return async (): Promise<NextRun> => {
      if (isLast || sandbox === null) {
        const argv = ['run', 'p.json', ...(isPrivate ? ['--private-input', 'input.json'] : [])];
        const { status, stderr } = await runToEnd({ argv, directory });
        return { status, words: stderr };
      }
      return { status: await runProject({ directory, isPrivate, sandbox: sandbox.sandbox }), words: '' };
    };
  }

  /** Every effect of a step: `isLast` of those that its run has. */
  function effectsOf(step: Step): readonly Omit<KilledAt, 'step' | 'when'>[] {
    return [false, true].flatMap((isPrivate) => {
      const count = counts.get(isPrivate)?.[step] ?? 0;
      return Array.from({ length: count }, (_, nth) => ({ isPrivate, nth, isLast: nth === count - 1 }));
    });
  }

  for (const step of STEPS) {
    for (const when of ['before', 'after'] as const) {
      it(`${when} each ${step}: no partial file, the value findable, the next run succeeds and sweeps`, async () => {
        const effects = effectsOf(step);
        expect(effects, `effects of ${step}`).to.not.deep.equal([]);
        await eachAtOnce(effects, async ({ isPrivate, nth, isLast }) => {
          const directory = makeWorkDirectory(FILES);
          try {
            const { signal } = await runs.run(directory, { isPrivate, kill: { step, nth, when } });
            const place = `${isPrivate ? 'private' : 'normal'} run, ${when} ${step} ${nth}`;
            expect(signal, place).to.equal('SIGKILL');
            const left = snapshot(directory);
            expectWhole(left, place);
            expectFindable(left, { isPrivate, step, when, nth, isLast }, place);
            await expectNextRun(nextRunOf({ isPrivate, isLast }, directory), { directory, left, place });
          } finally {
            removeWorkDirectory(directory);
          }
        });
      });
    }
  }
});

/** As many at a time as there are processors: each waits for processes of its own. */
async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const pending = items.values();
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (const item of pending) await work(item);
    }),
  );
}

const FINAL =
  /^artifacts\/(traces|inspection|results|envelopes)\/(cmd-[0-7][0-9a-z]{25})(?:\.private)?\.(?:jsonl|svcins|json)$/;
const RECOVERY = /(?:^|\/)\.svc-private-result-cmd-[0-7][0-9a-z]{25}\.json$/;

/** Under a final name stands a whole file or none. */
function expectWhole(left: ReadonlyMap<string, string>, place: string): void {
  for (const [path, text] of left) {
    const kind = FINAL.exec(path)?.[1];
    if (kind === 'traces') expect(readTrace(Buffer.from(text, 'latin1')).ok, `${place}: ${path}`).to.equal(true);
    if (kind === 'inspection') expect(text.trimEnd().endsWith('}'), `${place}: ${path}`).to.equal(true);
    if (kind === 'results') expect(text, `${place}: ${path}`).to.equal(VALUE);
    if (kind === 'envelopes') validEnvelope(text);
    if (RECOVERY.test(path)) expect(['', VALUE], `${place}: ${path}`).to.include(text);
    expect(
      text.includes(SECRET) && !path.startsWith('artifacts/') && path !== 'main.clj',
      `${place}: secret in ${path}`,
    ).to.equal(false);
  }
}

interface KilledAt {
  readonly isPrivate: boolean;
  readonly step: Step;
  readonly when: 'before' | 'after';
  readonly nth: number;
  readonly isLast: boolean;
}

/** A value whose recovery file was synced is on the disk under a name that carries the run. */
function expectFindable(
  left: ReadonlyMap<string, string>,
  { isPrivate, step, when, isLast }: KilledAt,
  place: string,
): void {
  const isSynced =
    isPrivate &&
    (step === 'recovery link' || step === 'envelope' || (step === 'recovery sync' && when === 'after' && isLast));
  if (!isSynced) return;
  const named = [...left].filter(
    ([path, text]) => text === VALUE && (RECOVERY.test(path) || FINAL.exec(path)?.[1] === 'results'),
  );
  expect(named.length, place).to.be.greaterThan(0);
}

interface NextRun {
  readonly status: number | null;
  readonly words: string;
}

/** The run after a kill succeeds, and leaves of the dead one only whole files. */
async function expectNextRun(
  run: () => Promise<NextRun>,
  {
    directory,
    left,
    place,
  }: { readonly directory: string; readonly left: ReadonlyMap<string, string>; readonly place: string },
): Promise<void> {
  const next = await run();
  expect(next.status, `${place}: ${next.words}`).to.equal(0);
  expectUnchanged(snapshot(directory), left, place);

  // A directory whose owner died before or after its marker is swept once it is ten minutes old.
  const longAgo = new Date(Date.now() - 3_600_000);
  for (const path of snapshot(directory).keys()) {
    if (/\.svc-private-[0-9a-f]{12}\/$/.test(path)) utimesSync(join(directory, path), longAgo, longAgo);
  }
  const last = await run();
  expect(last.status, `${place}: ${last.words}`).to.equal(0);
  const after = snapshot(directory);
  expectUnchanged(after, left, place);
  const leavings = [...after.keys()].filter(
    (path) => /\.svc-/.test(path) && !(RECOVERY.test(path) && after.get(path) !== ''),
  );
  expect(leavings, place).to.deep.equal([]);
  for (const kind of ['traces', 'inspection', 'results', 'envelopes']) {
    const whole = [...after.keys()].filter((path) => dirname(path) === `artifacts/${kind}`);
    expect(whole.length, `${place}: ${kind}`).to.be.greaterThan(1);
  }
}

/** What is whole stays as it is, whoever made it. */
function expectUnchanged(after: ReadonlyMap<string, string>, left: ReadonlyMap<string, string>, place: string): void {
  for (const [path, text] of left) {
    if (FINAL.test(path) || (RECOVERY.test(path) && text !== ''))
      expect(after.get(path), `${place}: ${path}`).to.equal(text);
  }
}
