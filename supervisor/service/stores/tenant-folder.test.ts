import { expect } from 'chai';
import { chmod, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import type { GrantKey, GrantStore } from '../../../contract/provider-protocol/grant-store.ts';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { processOwnerProbe } from '../../evidence/publication/owner.ts';
import { removeScratch, scratchDirectory } from '../../evidence/publication/testing/scratch.ts';
import { fileGrants } from './file-grants.ts';
import { fileSecrets } from './file-secrets.ts';
import { resolveSecret } from './secrets.ts';

const tools = { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now };
const thrown = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('what tenants have in a folder (gateway.md §16)', () => {
  let root: string;
  beforeEach(async () => {
    root = await scratchDirectory();
  });
  afterEach(async () => removeScratch(root));
  const put = async (path: string, text: string, mode = 0o600): Promise<void> => {
    await mkdir(`${root}/${path.slice(0, path.lastIndexOf('/'))}`, { recursive: true, mode: 0o700 });
    await writeFile(`${root}/${path}`, text);
    await chmod(`${root}/${path}`, mode);
  };

  describe('credentials', () => {
    const resolveText = async (tenant: string, binding: string): Promise<string | null> =>
      (
        await resolveSecret(
          fileSecrets(tools, root),
          { tenant, binding, installation: 'model', purpose: 'acquisition' },
          { answerMs: 600_000 },
        )
      )?.value ?? null;

    it('are those of the tenant alone, without the line feed of an editor', async () => {
      await put('acme/secrets/key', 'one\n');
      await put('zenith/secrets/key', 'two');
      expect([
        await resolveText('acme', 'key'),
        await resolveText('zenith', 'key'),
        await resolveText('acme', 'other'),
        await resolveText('nobody', 'key'),
      ]).to.deep.equal(['one', 'two', null, null]);
    });

    it('are read whenever they are asked for, with another version for another value', async () => {
      const secrets = fileSecrets(tools, root);
      const query = { tenant: 'acme', binding: 'key', installation: 'model', purpose: 'acquisition' };
      await put('acme/secrets/key', 'one');
      const [first, again] = [await secrets.resolve(query), await secrets.resolve(query)];
      await put('acme/secrets/key', 'two');
      const next = await secrets.resolve(query);
      expect([first.value, next.value]).to.deep.equal(['one', 'two']);
      expect(again.version).to.equal(first.version);
      expect(next.version).to.not.equal(first.version);
      await rm(`${root}/acme/secrets/key`);
      expect(await thrown(secrets.resolve(query))).to.be.instanceOf(Error);
    });

    for (const [bytes, isOne] of [
      [65_535, true],
      [65_536, true],
      [65_537, false],
    ] as const) {
      it(`${isOne ? 'may have' : 'do not have'} ${bytes} bytes`, async () => {
        await put('acme/secrets/key', 'x'.repeat(bytes));
        expect((await resolveText('acme', 'key'))?.length).to.equal(isOne ? bytes : undefined);
      });
    }

    for (const [mode, isOne] of [
      [0o600, true],
      [0o400, true],
      [0o640, false],
      [0o604, false],
      [0o620, false],
    ] as const) {
      it(`are ${isOne ? 'taken' : 'left'} from a file of mode ${mode.toString(8)}`, async () => {
        await put('acme/secrets/key', 'one', mode);
        expect(await resolveText('acme', 'key')).to.equal(isOne ? 'one' : null);
      });
    }

    for (const folder of ['acme', 'acme/secrets']) {
      it(`are left where others can look into ${folder}`, async () => {
        await put('acme/secrets/key', 'one');
        await chmod(`${root}/${folder}`, 0o750);
        expect(await resolveText('acme', 'key')).to.equal(null);
      });
    }

    it('are left behind links, and where a name leads out of the folder', async () => {
      await put('zenith/secrets/key', 'two');
      await put('acme/secrets/own', 'one');
      await symlink('../../zenith/secrets/key', `${root}/acme/secrets/key`);
      await symlink('zenith', `${root}/alias`);
      for (const [tenant, binding] of [
        ['acme', 'key'],
        ['alias', 'key'],
        ['acme', '../../zenith/secrets/key'],
        ['acme/../zenith', 'key'],
        ['..', 'key'],
        ['', 'key'],
        ['acme', ''],
      ] as const)
        expect(await resolveText(tenant, binding), `${tenant} ${binding}`).to.equal(null);
    });

    it('are none of what is no text', async () => {
      await put('acme/secrets/key', '');
      expect(await resolveText('acme', 'key')).to.equal(null);
      await writeFile(`${root}/acme/secrets/key`, Uint8Array.of(0xff, 0xfe));
      expect(await resolveText('acme', 'key')).to.equal(null);
    });
  });

  describe('grants', () => {
    const KEY: GrantKey = { tenant: 'acme', principal: 'ada', id: 'f'.repeat(64) };
    const grant = (generation: number, text = `tokens ${generation}`) => ({ generation, text });
    let grants: GrantStore;
    beforeEach(async () => {
      await put('acme/keys/1', '0'.repeat(64));
      grants = fileGrants(tools, root);
    });

    it('are replaced by generation, and end by it', async () => {
      expect(await grants.read(KEY)).to.equal(null);
      expect(await grants.replace(KEY, 1, grant(2))).to.equal(false);
      expect(await grants.replace(KEY, null, grant(1))).to.equal(true);
      expect(await grants.replace(KEY, null, grant(1))).to.equal(false);
      expect(await grants.replace(KEY, 1, grant(2))).to.equal(true);
      await grants.remove(KEY, 1);
      expect(await fileGrants(tools, root).read(KEY), 'as another process sees it').to.deep.equal(grant(2));
      await grants.remove(KEY, 2);
      await grants.remove(KEY, 2);
      expect(await grants.read(KEY)).to.equal(null);
      expect(await grants.replace(KEY, 2, grant(3)), 'a token that was on its way').to.equal(false);
      expect(await grants.replace(KEY, null, grant(1))).to.equal(true);
      expect(await grants.read(KEY)).to.deep.equal(grant(1));
    });

    it('let one of several that replace at once through', async () => {
      await grants.replace(KEY, null, grant(1));
      const others = Array.from({ length: 4 }, () => fileGrants(tools, root));
      for (let generation = 1; generation < 5; generation += 1) {
        const replaced = await Promise.all(
          others.map(async (other, index) => other.replace(KEY, generation, grant(generation + 1, `of ${index}`))),
        );
        expect(replaced.filter(Boolean)).to.have.length(1);
        expect(await grants.read(KEY)).to.deep.equal(grant(generation + 1, `of ${replaced.indexOf(true)}`));
      }
    });

    it('end for good where somebody notes something of them meanwhile', async () => {
      await grants.replace(KEY, null, grant(1));
      await Promise.all([
        grants.remove(KEY, 1),
        ...Array.from({ length: 3 }, async (_none, index) =>
          fileGrants(tools, root).replace(KEY, 1, grant(1, `noted ${index}`)),
        ),
      ]);
      expect(await grants.read(KEY)).to.equal(null);
    });

    it('are of one person at one server', async () => {
      await grants.replace(KEY, null, grant(1));
      await put('zenith/keys/1', '0'.repeat(64));
      for (const other of [{ tenant: 'zenith' }, { principal: 'eve' }, { id: 'e'.repeat(64) }])
        expect(await grants.read({ ...KEY, ...other })).to.equal(null);
    });

    it('can be read by nobody once the key of their epoch is gone; a token that was on its way does not bring them back', async () => {
      await grants.replace(KEY, null, grant(1));
      await put('acme/keys/2', '1'.repeat(64));
      expect(await grants.read(KEY)).to.deep.equal(grant(1));
      await rm(`${root}/acme/keys/1`);
      expect(await grants.read(KEY)).to.equal(null);
      expect(await grants.replace(KEY, 1, grant(2))).to.equal(false);
      expect(await grants.replace(KEY, null, grant(1, 'anew'))).to.equal(true);
      expect(await grants.read(KEY)).to.deep.equal(grant(1, 'anew'));
    });

    it('are sealed with the key of the highest epoch from their next token on', async () => {
      for (const epoch of [2, 10]) await put(`acme/keys/${epoch}`, String(epoch).padStart(64, '0'));
      await grants.replace(KEY, null, grant(1));
      for (const epoch of [1, 2]) await rm(`${root}/acme/keys/${epoch}`);
      expect(await grants.read(KEY)).to.deep.equal(grant(1));
    });

    it('show nothing of themselves, nor of whose they are, in files that others cannot read', async () => {
      await grants.replace(KEY, null, grant(1, 'the token'));
      const [name = ''] = await readdir(`${root}/acme/grants`);
      expect(name).to.match(/^[0-9a-f]{64}$/);
      const [file = ''] = await readdir(`${root}/acme/grants/${name}`);
      const text = await readFile(`${root}/acme/grants/${name}/${file}`, 'utf8');
      for (const word of ['token', 'ada', Buffer.from('the token').toString('base64')])
        expect(text).to.not.contain(word);
    });

    it('cannot stand in for each other, nor be changed', async () => {
      await grants.replace(KEY, null, grant(1));
      await grants.replace({ ...KEY, principal: 'eve' }, null, grant(1, 'of Eve'));
      const names = await readdir(`${root}/acme/grants`);
      const paths = names.map((name) => `${root}/acme/grants/${name}/v000001`);
      const [first = '', second = ''] = await Promise.all(paths.map(async (path) => readFile(path, 'utf8')));
      await writeFile(paths[0] ?? '', second);
      await writeFile(paths[1] ?? '', first);
      for (const principal of ['ada', 'eve'])
        expect(await thrown(grants.read({ ...KEY, principal }))).to.include({ fault: 'damaged' });
      for (const damage of ['', '[', '{"epoch":1}', first.replace('"generation":1', '"generation":2')]) {
        for (const path of paths) await writeFile(path, damage);
        expect(await thrown(grants.read(KEY)), damage).to.include({ fault: 'damaged' });
      }
    });

    for (const [what, digits, mode] of [
      ['of 63 digits', '0'.repeat(63), 0o600],
      ['of 65 digits', '0'.repeat(65), 0o600],
      ['that others can read', '0'.repeat(64), 0o640],
    ] as const) {
      it(`are not kept with a key ${what}`, async () => {
        await put('acme/keys/1', digits, mode);
        expect(await thrown(grants.replace(KEY, null, grant(1)))).to.be.instanceOf(Error);
      });
    }

    it('are not kept for a tenant without a key, and none is made for one without a folder', async () => {
      await rm(`${root}/acme/keys/1`);
      expect(await thrown(grants.replace(KEY, null, grant(1)))).to.include({ fault: 'unavailable' });
      expect(await thrown(grants.replace({ ...KEY, tenant: 'nobody' }, null, grant(1)))).to.include({
        fault: 'unavailable',
      });
      expect(await readdir(root)).to.deep.equal(['acme']);
    });

    it('may have 262,144 bytes', async () => {
      const text = 'x'.repeat(262_144);
      expect(await grants.replace(KEY, null, grant(1, text))).to.equal(true);
      expect((await grants.read(KEY))?.text).to.equal(text);
    });
  });
});
