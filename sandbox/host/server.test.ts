import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { RAW_GUEST } from '../testing/sandbox-under-test.ts';
import { buildSnapshot, everywhere } from '../../scripts/build-snapshot.ts';
import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';
import { createCapabilityCalls } from './capability-calls.ts';
import { HostServer } from './server.ts';
import { decodeGuestImage, type LoadedImage, loadSnapshotImage } from './snapshot.ts';
import { makeSpare } from './spare.ts';

const HEAP_WORDS = 1_250_000;

describe('isolates that a host makes before they are asked for', () => {
  let image: LoadedImage;
  /** The kind of each that was begun. */
  let made: string[];
  let server: HostServer;
  before(async () => {
    image = loadSnapshotImage(
      await decodeGuestImage(Buffer.from(await buildSnapshot(everywhere({ script: RAW_GUEST }))), 'workflow'),
    );
  });
  beforeEach(async () => {
    made = [];
    const images = async (environment: string): Promise<LoadedImage> => {
      made.push(environment);
      return image;
    };
    server = new HostServer(
      images,
      createCapabilityCalls(() => undefined),
      makeSpare(images, 'workflow', HEAP_WORDS),
    );
  });

  const opened = async (isolate: string, environment: EnvironmentKind, heapWords = HEAP_WORDS): Promise<void> => {
    expect(await server.answer({ type: 'open', isolate, environment, heapWords })).to.deep.equal({ type: 'opened' });
  };
  const ended = async (isolate: string): Promise<void> => {
    await server.answer({ type: 'dispose', isolate });
    await turn();
    await turn();
  };

  it('are made as soon as one ends that was itself foreseen, and are the next of its kind', async () => {
    await opened('1', 'workflow');
    expect(made).to.have.length(1);
    await ended('1');
    expect(made).to.deep.equal(['workflow', 'workflow']);
    await opened('2', 'workflow');
    expect(made, 'none besides').to.have.length(2);
    await ended('2');
    expect(made).to.have.length(3);
  });

  it('are not made while another is there, which might call', async () => {
    await opened('1', 'workflow');
    await opened('2', 'workflow');
    await ended('1');
    expect(made).to.have.length(2);
    await ended('2');
    expect(made).to.have.length(3);
  });

  for (const [what, kind, heapWords] of [
    ['kind', 'mission', HEAP_WORDS],
    ['size', 'workflow', HEAP_WORDS + 1],
  ] as const) {
    it(`are not made so where the last one asked for was of another ${what}`, async () => {
      await opened('1', kind, heapWords);
      expect(made).to.have.length(2);
      await ended('1');
      expect(made).to.have.length(2);
      await opened('2', kind, heapWords);
      await ended('2');
      expect(made).to.have.length(3);
    });
  }

  it('are not made for what was never there', async () => {
    await ended('7');
    expect(made).to.have.length(1);
  });
});
