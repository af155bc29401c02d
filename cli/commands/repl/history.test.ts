import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { HISTORY_BYTES, openHistory } from './history.ts';

describe('the history file (cli.md §11)', () => {
  let cache: string;
  let path: string;
  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'svc-history-'));
    path = join(cache, 'svc/repl-history');
  });
  afterEach(async () => rm(cache, { recursive: true }));

  async function saveAndReopen(lines: readonly string[]): Promise<readonly string[]> {
    await (await openHistory({ XDG_CACHE_HOME: cache })).save(lines);
    return (await openHistory({ XDG_CACHE_HOME: cache })).lines;
  }

  it('keeps lines for the user alone', async () => {
    expect(await saveAndReopen(['a', 'é (b)'])).to.deep.equal(['a', 'é (b)']);
    expect((await lstat(path)).mode & 0o777).to.equal(0o600);
    expect((await lstat(join(cache, 'svc'))).mode & 0o777).to.equal(0o700);
    expect(await readdir(join(cache, 'svc'))).to.deep.equal(['repl-history']);
  });

  it('keeps a form of several lines as one', async () => {
    expect(await saveAndReopen(['(a\n b)', 'c'])).to.deep.equal(['(a\n b)', 'c']);
  });

  it("is its owner's whatever the umask", async () => {
    const before = process.umask(0o777);
    try {
      expect(await saveAndReopen(['a'])).to.deep.equal(['a']);
    } finally {
      process.umask(before);
    }
    expect((await lstat(path)).mode & 0o777).to.equal(0o600);
    expect((await lstat(join(cache, 'svc'))).mode & 0o777).to.equal(0o700);
  });

  it('keeps the newest lines that fit', async () => {
    const lines = Array.from({ length: 6000 }, (_, index) => `${index} ${'x'.repeat(95)}`);
    const stored = await saveAndReopen(lines);
    expect((await readFile(path)).length)
      .to.be.at.most(HISTORY_BYTES)
      .and.at.least(HISTORY_BYTES - 200);
    expect(stored.at(-1)).to.equal(lines.at(-1));
  });

  it('lies below the home without a cache directory of its own, and nowhere without a home', async () => {
    await (await openHistory({ HOME: cache })).save(['a']);
    expect(await readFile(join(cache, '.cache/svc/repl-history'), 'utf8')).to.equal('a\n');
    for (const environment of [{}, { HOME: 'relative' }, { HOME: '/proc/nowhere' }]) {
      const history = await openHistory(environment);
      await history.save(['a']);
      expect(history.lines).to.deep.equal([]);
    }
  });

  const HOSTILE: Readonly<Record<string, () => Promise<void>>> = {
    'others may read': async () => {
      await writeFile(path, 'theirs\n', { mode: 0o644 });
      await chmod(path, 0o644);
    },
    'is a link': async () => {
      await writeFile(join(cache, 'target'), 'theirs\n', { mode: 0o600 });
      await symlink(join(cache, 'target'), path);
    },
    'is a directory': async () => {
      await mkdir(path);
    },
    'is larger than a history': async () => writeFile(path, 'x'.repeat(HISTORY_BYTES + 1), { mode: 0o600 }),
    'lies where others may look': async () => {
      await writeFile(path, 'theirs\n', { mode: 0o600 });
      await chmod(join(cache, 'svc'), 0o755);
    },
  };
  for (const [what, make] of Object.entries(HOSTILE)) {
    it(`is neither read nor replaced when it ${what}`, async () => {
      await mkdir(join(cache, 'svc'), { mode: 0o700 });
      await make();
      const before = await lstat(path);
      expect(await saveAndReopen(['mine'])).to.deep.equal([]);
      expect((await lstat(path)).ino).to.equal(before.ino);
    });
  }
});
