import { expect } from 'chai';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { publicationTools } from '../../evidence/publication/published-files.ts';
import { removeScratch, scratchDirectory } from '../../evidence/publication/testing/scratch.ts';
import { keyOf, UserGrantsError, userGrants, type UserGrants } from './user-grants.ts';

const ID = 'a'.repeat(64);
const KEY = keyOf(ID);
const OTHER = keyOf('b'.repeat(64));
const GRANT = { generation: 1, text: '{"access":"secret-of-the-grant"}' };
const SEALING = '0123456789abcdef'.repeat(4);

describe('what the user granted (world.md §2.5)', () => {
  let root: string;
  let folder: string;
  beforeEach(async () => {
    root = await scratchDirectory();
    folder = `${root}/state/svc/grants`;
  });
  afterEach(async () => removeScratch(root));
  const store = (key?: string, directory: string | null = folder): UserGrants =>
    userGrants(publicationTools(), { directory, key });
  const problem = async (work: Promise<unknown>): Promise<string | null> =>
    work.then(
      () => null,
      (error: unknown) => (error instanceof UserGrantsError ? error.problem : String(error)),
    );
  const file = (): string => `${folder}/${ID}/v000001`;

  it('is sealed, for this user alone, and another process reads it', async () => {
    expect(await store().replace(KEY, null, GRANT)).to.equal(true);
    expect(await store().read(KEY)).to.deep.equal(GRANT);
    expect(await store().read(OTHER)).to.equal(null);
    const names = (await readdir(folder, { recursive: true })).filter((name) => !name.startsWith('.')).toSorted();
    expect(names).to.deep.equal([ID, `${ID}/v000001`, 'key'].toSorted());
    for (const name of ['', '/key', `/${ID}`, `/${ID}/v000001`])
      expect((await stat(folder + name)).mode & 0o077, name).to.equal(0);
    expect(await readFile(file(), 'utf8')).not.to.include('secret-of-the-grant');
    expect(await store().list()).to.deep.equal([{ id: ID, grant: GRANT }]);
  });

  it('is changed from what was read alone, and ends', async () => {
    await store().replace(KEY, null, GRANT);
    expect(await store().replace(KEY, null, GRANT)).to.equal(false);
    expect(await store().replace(KEY, 1, { ...GRANT, generation: 2 })).to.equal(true);
    await store().remove(KEY, 1);
    expect(await store().read(KEY)).to.deep.include({ generation: 2 });
    await store().remove(KEY, 2);
    expect([await store().read(KEY), await store().list()]).to.deep.equal([null, []]);
    expect(await readFile(`${folder}/${ID}/v000003`, 'utf8')).to.equal('{}');
  });

  it('is sealed with the key of the variable where there is one, and then no key file is made', async () => {
    await store(SEALING).replace(KEY, null, GRANT);
    expect(await readdir(folder)).not.to.include('key');
    expect(await store(SEALING).read(KEY)).to.deep.equal(GRANT);
    expect(await problem(store().read(KEY))).to.include('is sealed with SVC_GRANTS_KEY, which is not set');
    expect(await problem(store(SEALING.replace('0', 'f')).read(KEY))).to.include('sealed with another key');
    expect(await problem(store('short').read(KEY))).to.equal('SVC_GRANTS_KEY must be 64 hexadecimal digits');
  });

  it('is read with the key file too, until it is changed under the variable', async () => {
    await store().replace(KEY, null, GRANT);
    expect(await store(SEALING).read(KEY)).to.deep.equal(GRANT);
    await store(SEALING).replace(KEY, 1, { ...GRANT, generation: 2 });
    expect(await problem(store().read(KEY))).to.include('SVC_GRANTS_KEY');
  });

  it('is not there without a folder, where nothing can be kept', async () => {
    expect(await store(undefined, null).read(KEY)).to.equal(null);
    expect(await store(undefined, null).list()).to.deep.equal([]);
    expect(await problem(store(undefined, null).replace(KEY, null, GRANT))).to.include('set SVC_GRANTS_DIR');
    expect(await store().read(KEY)).to.equal(null);
    expect(await readdir(root), 'nothing is made to read').to.deep.equal([]);
  });

  const wide: Readonly<Record<string, readonly [path: string, mode: number, words: string]>> = {
    'folder that others may look into': ['', 0o755, 'others may look into it'],
    'folder that others may write': ['', 0o777, 'replace files there'],
    'key that others may read': ['/key', 0o644, 'must be yours alone (chmod 600'],
    'grant that others may read': [`/${ID}/v000001`, 0o640, 'must be yours alone'],
    'grant in a directory that others may open': [`/${ID}`, 0o711, 'must be yours alone'],
  };
  for (const [what, [path, mode, words]] of Object.entries(wide)) {
    it(`is not read from a ${what}, and that is told`, async () => {
      await store().replace(KEY, null, GRANT);
      await chmod(folder + path, mode);
      expect(await problem(store().read(KEY))).to.include(words);
      expect(await problem(store().replace(KEY, 1, { ...GRANT, generation: 2 }))).to.include(words);
      expect(
        await store()
          .setAside(KEY)
          .catch(() => null),
      ).to.equal(null);
      await chmod(folder + path, path === '' || path.length < 70 ? 0o700 : 0o600);
      if (path === '/key') await chmod(`${folder}/key`, 0o600);
      expect(await store().read(KEY), 'nothing was lost').to.deep.equal(GRANT);
    });
  }

  it('is refused where it was taken from another user, sealed with that user’s key', async () => {
    const theirs = `${root}/theirs`;
    await userGrants(publicationTools(), { directory: theirs, key: undefined }).replace(KEY, null, GRANT);
    await store().replace(OTHER, null, GRANT);
    await cp(`${theirs}/${ID}`, `${folder}/${ID}`, { recursive: true });
    expect(await problem(store().read(KEY))).to.include('sealed with another key');
    expect((await store().list())[1]).to.deep.equal({ id: OTHER.id, grant: GRANT });
  });

  it('is refused to another user', async () => {
    await store().replace(KEY, null, GRANT);
    const tools = publicationTools();
    const fileSystem = { ...tools.fileSystem, userId: tools.fileSystem.userId + 1 };
    const theirs = userGrants({ ...tools, fileSystem }, { directory: folder, key: undefined });
    expect(await problem(theirs.read(KEY))).to.match(/is not used: .*belongs to/);
    expect(await problem(theirs.replace(KEY, null, GRANT))).to.match(/is not used: .*belongs to/);
  });

  it('is refused in the place of another grant', async () => {
    await store().replace(KEY, null, GRANT);
    await cp(`${folder}/${ID}`, `${folder}/${OTHER.id}`, { recursive: true });
    expect(await problem(store().read(OTHER))).to.include('it was changed');
  });

  for (const [what, spoil] of Object.entries({
    'cut off': async (path: string) => writeFile(path, (await readFile(path)).subarray(0, 40)),
    'with another bit': async (path: string) =>
      writeFile(
        path,
        (await readFile(path, 'utf8')).replace(
          /"tag":"(.)/,
          (all, one) => all.slice(0, -1) + (one === 'A' ? 'B' : 'A'),
        ),
      ),
  })) {
    it(`is told of where it is damaged (${what}), and put aside for the next one, with nothing lost`, async () => {
      await store().replace(KEY, null, GRANT);
      await store().replace(OTHER, null, GRANT);
      await spoil(file());
      const damaged = await readFile(file());
      expect(await problem(store().read(KEY))).to.include(`${folder}/${ID}`);
      expect(await problem(store().replace(KEY, null, GRANT))).to.include('it was changed');
      expect(await store().list()).to.have.length(2);
      const aside = await store().setAside(KEY);
      expect(await readFile(`${aside}/v000001`)).to.deep.equal(damaged);
      expect(await store().setAside(KEY), 'once').to.equal(null);
      expect(await store().replace(KEY, null, GRANT)).to.equal(true);
      expect(await store().read(OTHER)).to.deep.equal(GRANT);
      expect(await store().list()).to.have.length(2);
    });
  }

  it('is put aside where its key file is gone', async () => {
    await store().replace(KEY, null, GRANT);
    await rm(`${folder}/key`);
    expect(await problem(store().read(KEY))).to.include('its key file is gone');
    expect(await store().setAside(KEY)).to.include('.damaged-');
  });

  it('is locked for all but one, until that one is done', async () => {
    await store().replace(KEY, null, GRANT);
    const [one, other] = [store(), store()];
    expect(await one.lock(KEY)).to.equal(true);
    expect([await other.lock(KEY), await one.lock(KEY)]).to.deep.equal([false, false]);
    await other.unlock(KEY);
    expect(await other.lock(KEY), 'who has no lock gives none back').to.equal(false);
    expect(await other.replace(KEY, 1, { ...GRANT, generation: 2 }), 'it is a lock of refreshes').to.equal(true);
    await one.unlock(KEY);
    expect(await other.lock(KEY)).to.equal(true);
    await other.unlock(KEY);
  });

  it('gives one of several processes that make the key at once the same one', async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(`${root}/state`, 0o700);
    const keys = ['1', '2', '3', '4', '5'].map((digit) => keyOf(digit.repeat(64)));
    expect(await Promise.all(keys.map(async (key) => store().replace(key, null, GRANT)))).to.deep.equal(
      keys.map(() => true),
    );
    expect(await store().list()).to.have.length(5);
  });
});
