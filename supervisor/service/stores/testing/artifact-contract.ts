import { expect } from 'chai';
import { createHash, randomFillSync } from 'node:crypto';
import { newRunReference } from '../../../../contract/run-reference.ts';
import { StoreError, type ArtifactKey, type ArtifactStore } from '../interface.ts';

/** A store that is empty, and a way to spoil what lies under a key. */
export interface StoreUnderTest {
  readonly store: ArtifactStore;
  /** Changes one byte of what was committed, behind the back of the store. */
  readonly spoil: (key: ArtifactKey) => Promise<void>;
  /** What a stopped attempt left: names that are no artifacts. */
  readonly leftovers: () => Promise<readonly string[]>;
}

const META = { dataClass: 'normal', contentType: 'application/json' } as const;

function keyFor(parts: Partial<ArtifactKey> = {}): ArtifactKey {
  return { tenant: 'acme', runRef: newRunReference(randomFillSync), epoch: 1, name: 'trace.jsonl', ...parts };
}

async function* streamOf(...parts: readonly (Uint8Array | string)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

async function put(
  store: ArtifactStore,
  key: ArtifactKey,
  ...parts: readonly (Uint8Array | string)[]
): Promise<'committed' | 'exists'> {
  const reservation = await store.reserve(key, META);
  await store.write(reservation, streamOf(...parts));
  return (await store.commit(reservation)).outcome;
}

async function textAt(store: ArtifactStore, key: ArtifactKey): Promise<string | null> {
  const stream = await store.read(key);
  if (stream === null) return null;
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error instanceof StoreError ? error.fault : String(error)),
  );
}

async function listed(store: ArtifactStore, prefix: Parameters<ArtifactStore['list']>[0]): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { runRef, epoch, name } of store.list(prefix)) names.push(`${runRef}/${epoch}/${name}`);
  return names;
}

/** What every artifact store holds (gateway.md §16). `sizes`: bytes at which it changes how it writes. */
export function holdsArtifactContract(make: () => Promise<StoreUnderTest>, sizes: readonly number[]): void {
  let tested: StoreUnderTest;
  beforeEach(async () => {
    tested = await make();
  });

  it('gives back what was committed, with its checksum, right after', async () => {
    const { store } = tested;
    const reservation = await store.reserve(keyFor(), META);
    await store.write(reservation, streamOf('{"a":', '1}'));
    const committed = await store.commit(reservation);
    if (committed.outcome !== 'committed') throw new Error('not committed');
    expect(committed.stored).to.include({ bytes: 7, sha256: createHash('sha256').update('{"a":1}').digest('hex') });
    expect(store.uri(reservation.key)).to.contain(reservation.key.runRef);
    expect(await textAt(store, reservation.key)).to.equal('{"a":1}');
  });

  for (const size of [0, 1, ...sizes]) {
    it(`keeps ${size} bytes as they were`, async () => {
      const key = keyFor();
      const content = randomFillSync(Buffer.alloc(size));
      expect(await put(tested.store, key, content.subarray(0, size >> 1), content.subarray(size >> 1))).to.equal(
        'committed',
      );
      const stream = await tested.store.read(key);
      const hash = createHash('sha256');
      for await (const part of stream ?? []) hash.update(part);
      expect(hash.digest('hex')).to.equal(createHash('sha256').update(content).digest('hex'));
      expect(await tested.leftovers()).to.deep.equal([]);
    });
  }

  it('shows nothing before the commit, and nothing after an abort', async () => {
    const { store } = tested;
    const key = keyFor();
    const reservation = await store.reserve(key, META);
    await store.write(reservation, streamOf(Buffer.alloc(Math.max(0, ...sizes) + 1)));
    expect(await store.read(key)).to.equal(null);
    expect(await listed(store, { tenant: 'acme' })).to.deep.equal([]);
    await store.abort(reservation);
    await store.abort(reservation);
    expect(await store.read(key)).to.equal(null);
    expect(await tested.leftovers()).to.deep.equal([]);
    expect(await put(store, key, 'again')).to.equal('committed');
  });

  it('never replaces what is there', async () => {
    const { store } = tested;
    const key = keyFor();
    await put(store, key, 'first');
    const second = await put(store, key, 'second').catch((error: unknown) =>
      error instanceof StoreError ? error.fault : String(error),
    );
    expect(second).to.equal('exists');
    expect(await textAt(store, key)).to.equal('first');
  });

  for (const size of [6, ...sizes.map((bytes) => bytes + 1)]) {
    it(`gives one of several at once the name, with ${size} bytes each`, async () => {
      const { store } = tested;
      const key = keyFor();
      const attempts = [0, 1, 2, 3].map(async (writer) => ({
        writer,
        outcome: await put(store, key, Buffer.alloc(size, writer)).catch((error: unknown) =>
          error instanceof StoreError ? error.fault : String(error),
        ),
      }));
      const outcomes = await Promise.all(attempts);
      const winners = outcomes.filter(({ outcome }) => outcome === 'committed');
      expect(winners).to.have.length(1);
      expect(outcomes.filter(({ outcome }) => outcome === 'exists')).to.have.length(3);
      expect((await textAt(store, key))?.charCodeAt(size - 1)).to.equal(winners[0]?.writer);
      expect(await tested.leftovers()).to.deep.equal([]);
    });
  }

  it('keeps nothing of content whose source fails', async () => {
    const { store } = tested;
    const key = keyFor();
    const reservation = await store.reserve(key, META);
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(Math.max(0, ...sizes) + 1);
      throw new RangeError('source broke');
    };
    const fault = await store.write(reservation, failing()).then(
      () => null,
      (error: unknown) => error,
    );
    expect(fault).to.be.instanceOf(RangeError);
    await store.abort(reservation);
    expect(await store.read(key)).to.equal(null);
    expect(await tested.leftovers()).to.deep.equal([]);
  });

  it('parts tenants, whatever their names look like', async () => {
    const { store } = tested;
    const runRef = newRunReference(randomFillSync);
    const tenants = ['acme', 'Acme', 'ACME', 'acme.', 'acme-1', 'a'];
    for (const tenant of tenants) await put(store, keyFor({ tenant, runRef }), tenant);
    for (const tenant of tenants) {
      expect(await textAt(store, keyFor({ tenant, runRef }))).to.equal(tenant);
      expect(await listed(store, { tenant })).to.deep.equal([`${runRef}/1/trace.jsonl`]);
    }
  });

  it('lists by tenant and by run, in order', async () => {
    const { store } = tested;
    const [first, second] = [newRunReference(randomFillSync), newRunReference(randomFillSync)].toSorted();
    if (first === undefined || second === undefined) throw new Error('two runs');
    for (const [runRef, epoch, name] of [
      [second, 1, 'b'],
      [first, 10, 'a'],
      [first, 2, 'b'],
      [first, 2, 'a'],
    ] as const)
      await put(store, keyFor({ runRef, epoch, name }), name);
    expect(await listed(store, { tenant: 'acme' })).to.deep.equal([
      `${first}/2/a`,
      `${first}/2/b`,
      `${first}/10/a`,
      `${second}/1/b`,
    ]);
    expect(await listed(store, { tenant: 'acme', runRef: second })).to.deep.equal([`${second}/1/b`]);
    expect(await listed(store, { tenant: 'other' })).to.deep.equal([]);
  });

  it('removes, also what is not there', async () => {
    const { store } = tested;
    const key = keyFor();
    await put(store, key, Buffer.alloc(Math.max(1, ...sizes) + 1));
    await store.remove(key);
    await store.remove(key);
    expect(await store.read(key)).to.equal(null);
    expect(await tested.leftovers()).to.deep.equal([]);
    expect(await put(store, key, 'new')).to.equal('committed');
  });

  for (const wrong of [
    { tenant: '..' },
    { tenant: 'a/b' },
    { tenant: '' },
    { tenant: 'a'.repeat(129) },
    { name: '../x' },
    { name: '.hidden' },
    { name: '' },
    { name: 'a'.repeat(129) },
    { name: 'a.sha256' },
    { epoch: -1 },
    { epoch: 0.5 },
  ]) {
    it(`refuses the key ${JSON.stringify(wrong).slice(0, 40)}`, async () => {
      const key = keyFor(wrong);
      expect(await faultOf(tested.store.reserve(key, META))).to.equal('key_invalid');
      expect(await faultOf(tested.store.read(key))).to.equal('key_invalid');
      expect(await faultOf(tested.store.remove(key))).to.equal('key_invalid');
    });
  }

  it('tells what was changed behind its back', async () => {
    for (const size of [5, ...sizes.map((bytes) => bytes + 1)]) {
      const key = keyFor();
      await put(tested.store, key, Buffer.alloc(size, 7));
      await tested.spoil(key);
      expect(await faultOf(textAt(tested.store, key))).to.equal('damaged');
    }
  });
}
