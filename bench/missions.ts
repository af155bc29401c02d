/**
 * Evaluations in missions through the product's kernel: in a living isolate, after a failure, after the host was
 * killed.
 */
import { join } from 'node:path';
import { openRoom, type MissionRoom } from '../sandbox/test/missions/mission-room.ts';
import type { Sandbox } from '../sandbox/pool/interface.ts';
import { startSandbox } from '../sandbox/pool/pool.ts';
import { bareRoundTripMs } from './bare-round-trip.ts';
import { against, type Figure, median, quantile } from './figure.ts';

const dist = join(import.meta.dirname, '../dist');
const ROUNDS = 200;
/** Bare round trips that one evaluation in a living isolate may take. */
const MOST = 100;
const DOMAIN = { environment: 'mission', trustDomain: 'room' } as const;
/** Some 1.2 MB of definitions. */
const MEGABYTE =
  '(def pad (clojure.string/join (repeat 210 "y"))) (def rows (mapv (fn [i] {:id i :name (str "row " i pad)}) (range 5000))) nil';

async function times(
  room: MissionRoom,
  rounds: number,
  source: string,
  before: () => Promise<unknown> = async () => undefined,
): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await before();
    const started = performance.now();
    const { outcome } = await room.evaluate(source);
    samples.push(performance.now() - started);
    if (outcome !== 'continued') throw new Error(`${source}: ${String(outcome)}`);
  }
  return samples;
}

export async function missionFigures(): Promise<Figure[]> {
  const sandbox: Sandbox = startSandbox({
    hostScript: join(dist, 'sandbox-host.cjs'),
    guestImage: join(dist, 'guest.snapshot'),
    readableFolders: [dist],
    isolatesPerHost: 8,
  });
  const room = openRoom(sandbox);
  await times(room, 20, '(+ 1 2)');
  const living = await times(room, ROUNDS, '(+ 1 2)');
  const failed = await times(room, 50, '(+ 1 2)', () => room.evaluate('(fail 1)'));
  await room.evaluate(MEGABYTE);
  const large = await times(room, 20, '(count rows)');
  const restored = await times(room, 20, '(count rows)', () => room.evaluate('(fail 1)'));
  const killed = await times(room, 10, '(count rows)', () => sandbox.endDomain(DOMAIN));
  await room.kernel.close();
  await sandbox.close();
  const bare = { name: 'a bare round trip', value: await bareRoundTripMs() };
  const figure = (name: string, samples: readonly number[], most: number | null): Figure =>
    against(bare, {
      name,
      value: median(samples),
      unit: 'ms',
      most,
      detail: `p95 ${quantile(samples, 0.95).toFixed(2)} ms, ${samples.length} evaluations`,
    });
  return [
    figure('kernel-eval of (+ 1 2) after a success, p50', living, MOST),
    figure('the same after a failure, in a fresh isolate, p50', failed, null),
    figure('kernel-eval beside 1.2 MB of definitions that it leaves as they are, p50', large, null),
    figure('the same after a failure, restored in a fresh isolate, p50', restored, null),
    figure('the same after its host was killed, a new host included, p50', killed, null),
  ];
}
