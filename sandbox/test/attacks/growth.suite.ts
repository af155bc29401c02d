/**
 * Programs that make one kind of thing until their memory is full, in a workflow, in a mission and in a parallel
 * branch, beside honest runs: they end with their own heap limit, and nobody else notices (runtime.md §9, §14).
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { ENDINGS } from '../../wire/messages.ts';
import { type Application, type Ended, useSupervisor, work } from '../../../supervisor/test/capabilities/runs.ts';
import { producers } from './programs/producers.ts';

const IMAGE = join(import.meta.dirname, '../../../dist/guest.snapshot');
const HONEST = 3;
/** Calls that are answered at once, before the one that waits. */
const ANSWERED = 3;
/** Small, so that it is soon full; and time enough for a busy machine. */
const LIMITS = {
  workflow_heap_words: 1_250_000,
  run_duration_ms: 600_000,
  workflow_timeout_ms: 600_000,
  evaluation_timeout_ms: 600_000,
  parallel_timeout_ms: 600_000,
};
const TEST_MS = 600_000;

/** An honest run, which is in the middle of its work from when `isUnderWay` settles until `goOn` is called. */
function honestRun(run: (application: Application) => Promise<Ended>) {
  const underWay = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  let calls = 0;
  const ended = run({
    custom: [
      work(
        async () => {
          calls += 1;
          if (calls <= ANSWERED) return true;
          underWay.resolve();
          await over.promise;
          return false;
        },
        { timeoutMs: 300_000 },
      ),
    ],
    limits: LIMITS,
    body: '(loop [n 0] (if (:value (tool/work {})) (recur (inc n)) [n (apply str (map keyword ["a" "b"]))]))',
  });
  return { ended, isUnderWay: Promise.race([underWay.promise, ended]), goOn: over.resolve };
}

describe('a program that makes things without end', function () {
  this.timeout(TEST_MS);
  const runs = useSupervisor();

  /** What the run came to while honest ones were under way beside it, of which it must disturb none. */
  async function besideHonestRuns(attack: Application): Promise<Ended> {
    const honest = Array.from({ length: HONEST }, () => honestRun((application) => runs.runApart(application)));
    await Promise.all(honest.map(({ isUnderWay }) => isUnderWay));
    const ended = await runs.runApart(attack);
    for (const { goOn } of honest) goOn();
    for (const { code, value } of await Promise.all(honest.map((run) => run.ended)))
      expect([code, value]).to.deep.equal([null, [ANSWERED, ':a:b']]);
    return ended;
  }

  for (const { kind, forms = '', source } of producers) {
    it(`${kind}: is stopped at its limit, before V8 gives its isolate up`, async () => {
      const script = join(import.meta.dirname, 'ending-in-isolate.ts');
      const child = spawn(process.execPath, [script, IMAGE, String(LIMITS.workflow_heap_words), `${forms} ${source}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      expect(await text(child.stdout)).to.equal(ENDINGS.memory);
    });
  }

  for (const { kind, forms = '', source, inBranch = source } of producers) {
    it(`${kind}, in a workflow`, async () => {
      const done = await besideHonestRuns({ limits: LIMITS, forms, body: source });
      expect([done.unexpected, done.code, done.exitStatus]).to.deep.equal([null, 'runtime_limit_exceeded', 6]);
    });

    it(`${kind}, in a parallel branch of a workflow`, async () => {
      const done = await besideHonestRuns({
        limits: LIMITS,
        forms,
        body: `(pmap (fn [n] (if (= n 1) ${inBranch} n)) (range 3))`,
      });
      expect([done.unexpected, done.code, done.exitStatus]).to.deep.equal([null, 'runtime_limit_exceeded', 6]);
    });

    it(`${kind}, in a mission beside another one`, async () => {
      const done = await besideHonestRuns({
        limits: LIMITS,
        components: [{ library: 'kernel' }],
        missions: { attack: { components: [], data: {} }, calm: { components: [], data: {} } },
        body: `(let [before (kernel/eval "calm" (program (def kept 41)))
                     attack (kernel/eval-source "attack" ${JSON.stringify(`${forms} ${source}`)})
                     after (kernel/eval "calm" (program (inc kept)))]
                 [(:outcome before) (:kind attack) (:value after)])`,
      });
      expect([done.unexpected, done.code, done.value]).to.deep.equal([
        null,
        null,
        ['continued', 'memory_exceeded', 42],
      ]);
    });
  }
});
