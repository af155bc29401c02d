import { expect } from 'chai';
import { randomFillSync } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { startObjectServer, type ObjectServer } from '../../../conformance/servers/s3/server.ts';
import { newRunReference } from '../../../contract/run-reference.ts';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { processOwnerProbe } from '../../evidence/publication/owner.ts';
import { afterDeath, removeScratch, scratchDirectory } from '../../evidence/publication/testing/scratch.ts';
import { fileArtifacts } from '../../service/stores/file-artifacts.ts';
import { StoreError, type ArtifactKey } from '../../service/stores/interface.ts';
import { createMemoryArtifacts } from '../../service/stores/memory-artifacts.ts';
import { openObjectArtifacts } from '../../service/stores/object-artifacts.ts';
import { holdsArtifactContract } from '../../service/stores/testing/artifact-contract.ts';

const PART = 4096;
const META = { dataClass: 'normal', contentType: 'text/plain' } as const;
const keyOf = (tenant: string): ArtifactKey => ({
  tenant,
  runRef: newRunReference(randomFillSync),
  epoch: 1,
  name: 'trace.jsonl',
});

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function fileTools(owners = processOwnerProbe()) {
  return { fileSystem: nodeFileSystem(), owners, wallClock: Date.now };
}

describe('artifacts in memory', () => {
  holdsArtifactContract(async () => {
    const store = createMemoryArtifacts();
    return {
      store,
      spoil: async (key) => {
        for await (const part of (await store.read(key)) ?? []) part[0] = (part[0] ?? 0) ^ 1;
      },
      leftovers: async () => [],
    };
  }, [PART]);
});

describe('artifacts as files', () => {
  let root: string;
  beforeEach(async () => {
    root = await scratchDirectory();
  });
  afterEach(async () => removeScratch(root));

  const entries = async (): Promise<readonly string[]> =>
    (await readdir(root, { recursive: true })).filter((name) => name.split('/').length > 3);

  holdsArtifactContract(
    async () => ({
      store: fileArtifacts(fileTools(), root),
      spoil: async ({ tenant, runRef, epoch, name }) => {
        const path = `${root}/${tenant}/${runRef}/${epoch}/${name}`;
        const bytes = await readFile(path);
        bytes[0] = (bytes[0] ?? 0) ^ 1;
        await writeFile(path, bytes);
      },
      leftovers: async () => {
        const names = (await entries()).filter((name) => name.split('/').length === 4);
        return names.filter(
          (name) =>
            name.split('/')[3]?.startsWith('.') ||
            !names.includes(name.endsWith('.sha256') ? name.slice(0, -'.sha256'.length) : `${name}.sha256`),
        );
      },
    }),
    [PART],
  );

  it('writes checksums that sha256sum proves', async () => {
    const store = fileArtifacts(fileTools(), root);
    const reservation = await store.reserve(keyOf('acme'), META);
    await store.write(reservation, streamOf(Buffer.from('hello')));
    await store.commit(reservation);
    const folder = `${root}/acme/${reservation.key.runRef}/1`;
    expect(spawnSync('sha256sum', ['-c', 'trace.jsonl.sha256'], { cwd: folder }).status).to.equal(0);
  });

  it('gives a name back that a dead process held', async () => {
    const key = keyOf('acme');
    const dead = fileArtifacts(fileTools(), root);
    await dead.write(await dead.reserve(key, META), streamOf(Buffer.from('half')));
    const next = fileArtifacts(fileTools(afterDeath()), root);
    const reservation = await next.reserve(key, META);
    await next.write(reservation, streamOf(Buffer.from('whole')));
    expect((await next.commit(reservation)).outcome).to.equal('committed');
    expect((await entries()).filter((name) => name.includes('/.svc'))).to.deep.equal([]);
  });

  it('is unavailable where its folder is not', async () => {
    const store = fileArtifacts(fileTools(), `${root}/absent`);
    expect(
      await store.reserve(keyOf('acme'), META).then(
        () => null,
        (error: unknown) => error,
      ),
    )
      .to.be.instanceOf(StoreError)
      .with.property('fault', 'unavailable');
  });
});

describe('artifacts as objects of an S3-compatible store', () => {
  let server: ObjectServer;
  beforeEach(async () => {
    server = await startObjectServer();
  });
  afterEach(async () => server.close());

  const storeOf = (
    options: { readonly secretAccessKey?: string; readonly encryptionKey?: (tenant: string) => string } = {},
  ) => {
    const { url: endpoint, bucket, region, credentials } = server;
    const { secretAccessKey = credentials.secretAccessKey, ...others } = options;
    return openObjectArtifacts({
      endpoint,
      bucket,
      region,
      credentials: { ...credentials, secretAccessKey },
      partBytes: PART,
      ...others,
    });
  };

  holdsArtifactContract(
    async () => ({
      store: storeOf(),
      spoil: async ({ tenant, runRef, epoch, name }) => {
        const object = server.objects.get(`${tenant}/${runRef}/${epoch}/${name}`);
        if (object === undefined) throw new Error('no such object');
        object.body[0] = (object.body[0] ?? 0) ^ 1;
      },
      leftovers: async () => {
        const sums = [...server.objects.keys()].filter((path) => path.includes('/.sums/'));
        const wanted = new Set(
          [...server.objects].flatMap(([path, { headers }]) =>
            headers['x-amz-meta-svc-upload'] === undefined
              ? []
              : [path.replace(/[^/]*$/, (name) => `.sums/${name}.${headers['x-amz-meta-svc-upload']}`)],
          ),
        );
        return [...server.openUploads(), ...sums.filter((path) => !wanted.has(path))];
      },
    }),
    [PART - 1, PART, PART + 1, 3 * PART],
  );

  const faultAfter = async (
    bytes: number,
    fits: (method: string, path: string, query: URLSearchParams) => boolean,
    status: number,
    code: string,
  ): Promise<unknown> => {
    const store = storeOf();
    const key = keyOf('acme');
    const reservation = await store.reserve(key, META);
    server.failNext(fits, status, code);
    const fault = await store
      .write(reservation, streamOf(Buffer.alloc(bytes)))
      .then(() => store.commit(reservation))
      .catch((error: unknown) => (error instanceof StoreError ? error.fault : error));
    await store.abort(reservation);
    expect(server.openUploads()).to.deep.equal([]);
    expect([...server.objects.keys()].filter((path) => path.includes('/.sums/'))).to.deep.equal([]);
    return fault;
  };

  it('gives up the parts of an upload that fails, at each of its steps', async () => {
    const steps: readonly ((method: string, path: string, query: URLSearchParams) => boolean)[] = [
      (method, _path, query) => method === 'POST' && query.has('uploads'),
      (_method, _path, query) => query.get('partNumber') === '1',
      (_method, _path, query) => query.get('partNumber') === '3',
      (method, path) => method === 'PUT' && path.includes('/.sums/'),
      (method, _path, query) => method === 'POST' && query.has('uploadId'),
    ];
    for (const step of steps) expect(await faultAfter(3 * PART, step, 500, 'InternalError')).to.equal('unavailable');
  });

  it('comes again where two makers are told to', async () => {
    expect(await faultAfter(10, (method) => method === 'PUT', 409, 'ConditionalRequestConflict')).to.have.property(
      'outcome',
      'committed',
    );
  });

  it('is unavailable for a store that refuses what is signed, or is not there', async () => {
    const refused = await storeOf({ secretAccessKey: 'another' })
      .read(keyOf('acme'))
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(StoreError).with.property('fault', 'unavailable');
    const store = storeOf();
    await server.close();
    const absent = await store.read(keyOf('acme')).catch((error: unknown) => error);
    expect(String(absent)).to.equal('StoreError: artifact store: unavailable');
    server = await startObjectServer();
  });

  it('encrypts under the key of the tenant, in one piece and in parts', async () => {
    const store = storeOf({ encryptionKey: (tenant) => `key-of-${tenant}` });
    for (const bytes of [1, 3 * PART]) {
      const reservation = await store.reserve(keyOf('acme'), META);
      await store.write(reservation, streamOf(Buffer.alloc(bytes)));
      await store.commit(reservation);
    }
    expect(
      [...server.objects.values()].map(({ headers }) => headers['x-amz-server-side-encryption-aws-kms-key-id']),
    ).to.deep.equal(['key-of-acme', 'key-of-acme', 'key-of-acme']);
  });
});
