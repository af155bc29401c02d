import { expect } from 'chai';
import ivm from 'isolated-vm';
import { RAW_GUEST } from '../testing/sandbox-under-test.ts';
import { buildSnapshot, everywhere } from '../../scripts/build-snapshot.ts';
import { madeElsewhere } from '../pool/testing/made-elsewhere.ts';
import { enterGuest } from './enter-guest.ts';
import { decodeGuestImage, loadSnapshotImage, type SnapshotImage } from './snapshot.ts';

async function answersOf(image: SnapshotImage): Promise<string> {
  const { snapshot, coldText } = loadSnapshotImage(image);
  const isolate = new ivm.Isolate({ snapshot });
  const entrance = enterGuest(isolate, new ivm.Reference(() => ''), coldText);
  const answer = await entrance.apply(undefined, [JSON.stringify({ operation: 'evaluate', source: 'return 6 * 7' })], {
    timeout: 5000,
  });
  isolate.dispose();
  return answer;
}

describe('guest image', () => {
  let bytes: Buffer;
  before(async () => {
    bytes = Buffer.from(await buildSnapshot(everywhere({ script: RAW_GUEST })));
  });

  it('that was made for another platform is made anew, and its guest answers the same', async () => {
    const elsewhere = madeElsewhere(bytes);
    expect(elsewhere.equals(bytes)).to.equal(false);
    const here = await answersOf(await decodeGuestImage(bytes, 'workflow'));
    expect(here).to.include('42');
    expect(await answersOf(await decodeGuestImage(elsewhere, 'workflow'))).to.equal(here);
  });

  it('that is cut is refused', async () => {
    const refused = await decodeGuestImage(bytes.subarray(0, bytes.length >> 1), 'mission').then(
      () => null,
      (error: unknown) => error,
    );
    expect(refused).to.be.instanceOf(Error);
  });
});
