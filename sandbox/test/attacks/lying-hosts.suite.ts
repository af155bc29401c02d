import { cp, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PoolEvent } from '../../../supervisor/api/supervisor.ts';
import { runOnce, supervise } from '../../../supervisor/test/capabilities/supervised.ts';
import { LYING_HOST } from './lying-hosts.ts';

const dist = join(import.meta.dirname, '../../../dist');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const MAIN = `(ns main)
(defn run [input]
  (tool/runtime-usage {})
  (let [first (kernel/eval-source "room" "(def kept [1 2 3]) (println kept) (map inc kept)")
        second (kernel/eval-source "room" "(return (conj kept 4))")
        third (kernel/eval-source "room" "(fail {:kind \\"no\\"})")
        fourth (kernel/eval-source "room" "(throw (ex-info \\"x\\" {:a 1}))")]
    (println "said")
    {"outcomes" (mapv (fn [r] (str (get r :outcome))) [first second third fourth])
     "values" (vec (pmap (fn [x] (* x x)) [1 2 3]))}))
`;
const FILES = new Map([
  [
    'svc.json',
    bytes(
      JSON.stringify({
        version: 1,
        workflow: {
          components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
          entry: 'main/run',
        },
        missions: { room: { components: [] } },
        input: { value: {} },
      }),
    ),
  ],
  ['main.clj', bytes(MAIN)],
]);
/** Each changes one message, of those up to so many, in a way of its own. */
const SEEDS = 160;
const MESSAGES = 14;
/** A host that says nothing more is waited for as long as its run may last. */
const LIMITS = { run_duration_ms: 1500, workflow_timeout_ms: 1500, evaluation_timeout_ms: 1000 };

describe('a host that lies once', () => {
  let program = '';
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => {
    unhandled.push(error);
  };

  before(async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-lying-')));
    program = join(folder, 'program');
    await cp(dist, program, { recursive: true });
    await rename(join(program, 'sandbox-host.cjs'), join(program, 'real-host.cjs'));
    await writeFile(join(program, 'sandbox-host.cjs'), LYING_HOST);
    process.on('unhandledRejection', note);
  });
  after(async () => {
    process.off('unhandledRejection', note);
    await rm(join(program, '..'), { recursive: true, force: true });
  });

  async function run(
    seed: number,
    message: number,
  ): Promise<{
    readonly code: string | null;
    readonly unexpected: unknown;
    readonly isKilled: boolean;
    /** Whether a host ended by itself, as a lie may make it. */
    readonly hasCrashed: boolean;
    readonly text: string | null;
  }> {
    await writeFile(join(program, 'lie.json'), JSON.stringify({ seed, message }));
    const events: PoolEvent[] = [];
    const supervisor = await supervise({
      programDirectory: program,
      confinement: 'off',
      onPoolEvent: (event) => events.push(event),
    });
    try {
      const { envelope, unexpected, valueText } = await runOnce(
        supervisor,
        { kind: 'memory', files: FILES },
        { limits: LIMITS },
      );
      const code = envelope.status === 'error' ? envelope.error.code : null;
      const isKilled = events.some(({ event }) => event === 'host_killed');
      const hasCrashed = events.some((one) => one.event === 'host_ended' && ['crashed', 'exited'].includes(one.how));
      return { code, unexpected, isKilled, hasCrashed, text: valueText };
    } finally {
      await supervisor.close();
    }
  }

  it('and one that never does runs the program', async () => {
    const honest = await run(0, -1);
    expect(honest).to.deep.include({ code: null, unexpected: null });
    expect(honest.text).to.equal('{"outcomes":["continued","returned","failed","evaluation_error"],"values":[1,4,9]}');
  });

  for (let part = 0; part < 4; part += 1) {
    it(`is found out, or believed as a program of its own: part ${part + 1}`, async () => {
      const counts = { killed: 0, believed: 0 };
      for (let seed = part; seed < SEEDS; seed += 4) {
        const reported = await run(seed, 1 + ((seed * 7) % MESSAGES));
        expect(reported.unexpected, `seed ${seed}: ${String(reported.code)}`).to.equal(null);
        if (reported.code === 'internal_error')
          expect(reported.isKilled || reported.hasCrashed, `seed ${seed}`).to.equal(true);
        counts[reported.isKilled ? 'killed' : 'believed'] += 1;
      }
      expect(unhandled).to.deep.equal([]);
      expect(counts.killed).to.be.greaterThan(0);
    });
  }
});
