/**
 * Programs warm the guests while the program is built: an isolate has their compiled code, and nothing that they made.
 */
import { expect } from 'chai';
import { programs } from '../../../bench/programs/table.ts';
import type { EvaluateRequest } from '../../../contract/sandbox-protocol.ts';
import { openGuestIsolate } from '../../host/guest-isolate.ts';
import { decodeGuestImage, type LoadedImage, loadSnapshotImage } from '../../host/snapshot.ts';
import { buildSnapshot, everywhere, type GuestText } from '../../../scripts/build-snapshot.ts';
import { bundleGuest } from '../../../scripts/guest-bundle.ts';
import { GUESTS } from '../../../scripts/warm-up.ts';

/**
 * Leaves what it can: a definition, interned names that stand in no text, state, names that were made, a name that was
 * missed.
 */
const LEAVING = `(def left-by-warming (atom {:left-in-atom (gensym "left-symbol")}))
  (derive ::left-child ::left-parent)
  (defmulti left-dispatch identity)
  (keyword (str "left-" "interned"))`;
/** Fails, and is the last that a runtime missed. */
const MISSING = '(left-missing (:left-key {:left-kei 1}))';

/** What would tell an isolate of what ran before. */
const PROBES: readonly string[] = [
  '[(gensym) (gensym "x")]',
  '[*1 *2 *3 *e]',
  'left-by-warming',
  '(left-dispatch 1)',
  '[(isa? ::left-child ::left-parent) (descendants ::left-parent)]',
  '(left-by-warmin 1)',
  '[(hash :left-interned) (hash {:a 1}) (= (hash inc) (hash inc)) (hash (atom 1))]',
  '(apropos "left")',
];

function evaluation(source: string): EvaluateRequest {
  return {
    operation: 'evaluate',
    environment: 'mission',
    source,
    data: {},
    tools: [],
    loop_iterations: null,
    projection: 'printed',
    continuation: null,
    commit: { memory_bytes: 100_000, history_bytes: 100_000 },
  };
}

interface Image {
  readonly bytes: Buffer;
  readonly loaded: LoadedImage;
}

/** A guest that is warmed as the product's is, and by what leaves something besides. */
function bundled(): Promise<GuestText> {
  return bundleGuest({
    ...GUESTS.mission,
    warmUp: `${evaluationCall(LEAVING)} ${evaluationCall(MISSING)} ${GUESTS.mission.warmUp}`,
  });
}

async function imageOf(guest: GuestText): Promise<Image> {
  const image = await decodeGuestImage(Buffer.from(await buildSnapshot(everywhere(guest))), 'mission');
  return { bytes: Buffer.from(image.snapshot.slice(0)), loaded: loadSnapshotImage(image) };
}

function evaluationCall(source: string): string {
  return `freshGuest(() => '{"reply":"closed"}')(${JSON.stringify(JSON.stringify(evaluation(source)))});`;
}

/** What each probe is answered, in an isolate of its own in which `before` ran. */
function answers(image: LoadedImage, before: readonly string[] = []): Promise<readonly string[]> {
  return Promise.all(
    PROBES.map(async (probe) => {
      const isolate = openGuestIsolate(image, 1_250_000);
      let answer = '';
      for (const [at, source] of [...before, probe].entries()) {
        const text = JSON.stringify({ ...evaluation(source), continuation: at === 0 ? null : 'living' });
        const request = { load: '', text, timeoutMs: 30_000, wantsHeap: false };
        const replied = await isolate.request(request, () => Promise.reject(new Error('nothing is granted')));
        answer = JSON.stringify(replied);
      }
      await isolate.dispose();
      return answer;
    }),
  );
}

describe('programs that warm the guests', () => {
  let guest: GuestText;
  let warmed: Image;
  before(async () => {
    guest = await bundled();
    warmed = await imageOf(guest);
  });

  it('leave no text of theirs in the image', () => {
    const names = new Set(
      programs('warm').flatMap(({ source }) =>
        [...source.matchAll(/\(defn?-? ([a-z-]{9,}) /g)].map(([, name]) => name ?? ''),
      ),
    );
    const theirs = [
      ...names,
      'left-by-warming',
      'left-interned',
      'left-in-atom',
      'left-symbol',
      'left-dispatch',
      'left-missing',
      'left-kei',
    ].filter((name) => !`${guest.script}${guest.coldText}`.includes(name));
    expect(theirs.length).to.be.above(20);
    expect(warmed.bytes.includes('gensym')).to.equal(true);
    expect(theirs.filter((name) => warmed.bytes.includes(name))).to.deep.equal([]);
  });

  it('change no answer of an isolate, against one that nothing warmed', async () => {
    const cold = await imageOf({ ...guest, warmUp: '' });
    expect(warmed.bytes.length).to.be.above(1.2 * cold.bytes.length);
    expect(await answers(warmed.loaded)).to.deep.equal(await answers(cold.loaded));
  });

  it('would change most of these answers if anything of them stayed', async () => {
    const fresh = await answers(warmed.loaded);
    const after = await answers(warmed.loaded, [LEAVING]);
    expect(PROBES.filter((_, at) => after[at] !== fresh[at])).to.have.lengthOf.at.least(4);
  });
});
