import { randomFillSync } from 'node:crypto';
import { expect } from 'chai';
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { DOCS_PAGES } from '../../../contract/envelope/docs-pages.ts';
import { EXAMPLE_LISTS, INIT_LISTS } from '../../../contract/init-lists.ts';
import { newRunReference } from '../../../contract/run-reference.ts';
import { initialize, type InitializeOptions, type InitializeReport } from './initialize.ts';
import { validateApplication } from '../validate-application.ts';
import { nodeDocumentFiles as documentFiles } from '../../documents/file-system.ts';
import { systemClock } from '../../../system/clock.ts';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { Crash, faultyFileSystem } from '../../evidence/publication/testing/faulty-file-system.ts';
import { contentsOf, removeScratch, scratchDirectory } from '../../evidence/publication/testing/scratch.ts';
import { fakeSandbox } from '../../run/testing/fake-sandbox.ts';
import { scaffoldTree } from './scaffold.ts';
import { directoriesOf, topLevelNames, type Tree } from './tree.ts';

const DEEP: Tree = new Map([
  ['README.md', text('read me')],
  ['step/svc.json', text('{}')],
  ['step/data/a.txt', text('a')],
]);

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

describe('init (cli.md §8)', () => {
  let root = '';
  beforeEach(async () => {
    root = await scratchDirectory();
  });
  afterEach(async () => {
    await removeScratch(root);
  });

  async function init(over: Partial<InitializeOptions> = {}): Promise<InitializeReport> {
    return initialize({
      runRef: newRunReference(randomFillSync),
      directory: `${root}/app`,
      example: null,
      trees: async () => null,
      fileSystem: nodeFileSystem(),
      ...over,
    });
  }

  function codeOf({ end }: InitializeReport): string {
    return 'error' in end ? end.error.code : 'ok';
  }

  it('creates the scaffold, for its owner only, and lists it as declared', async () => {
    const report = await init();
    expect(report.end).to.deep.include({ status: 'ok', result: { created: INIT_LISTS.scaffold } });
    expect(topLevelNames(scaffoldTree())).to.deep.equal(new Set(INIT_LISTS.scaffold));
    expect(Object.keys(await contentsOf(root))).to.have.members([
      'app',
      ...INIT_LISTS.scaffold.map((name) => `app/${name}`),
    ]);
    expect((await stat(`${root}/app`)).mode & 0o777).to.equal(0o700);
    expect((await stat(`${root}/app/main.clj`)).mode & 0o777).to.equal(0o600);
  });

  it('a scaffold is valid by the loaders of every application', async () => {
    await init();
    const sandbox = fakeSandbox();
    const report = await validateApplication({
      runRef: newRunReference(randomFillSync),
      workingDirectory: `${root}/app`,
      trustDomain: 'local',
      variables: {},
      document: 'svc-project.json',
      hostConfig: null,
      override: null,
      libraries: new Map(),
      sandbox: async () => sandbox,
      documents: documentFiles,
      clock: systemClock,
      signal: new AbortController().signal,
    });
    expect(report.envelope.status).to.equal('ok');
  });

  it('the routing card is short and asks the program', () => {
    const card = scaffoldTree().get('AGENTS.md') ?? new Uint8Array();
    expect(card.length).to.be.at.most(2048);
    expect(new TextDecoder().decode(card))
      .to.include('svc help')
      .and.include('svc docs')
      .and.include("svc repl -e '(doc")
      .and.include('--envelope');
  });

  it('the routing card names only pages that exist', () => {
    const card = new TextDecoder().decode(scaffoldTree().get('AGENTS.md'));
    const named = [...card.matchAll(/svc docs ([a-z][a-z-]*)/g)].map(([, page]) => page);
    expect(named).to.have.length.greaterThan(1);
    expect(DOCS_PAGES).to.include.members(named);
  });

  it('publishes an example with its directories, parents first', async () => {
    expect(directoriesOf(DEEP)).to.deep.equal(['step', 'step/data']);
    const report = await init({ example: 'llm-replay', trees: async () => DEEP });
    expect(report.end).to.deep.include({ result: { created: EXAMPLE_LISTS['llm-replay'] } });
    expect(await readFile(`${root}/app/step/data/a.txt`, 'utf8')).to.equal('a');
    expect((await stat(`${root}/app/step`)).mode & 0o777).to.equal(0o700);
  });

  it('lists an example of ours without an envelope, which could not hold it', async () => {
    const report = await init({ example: 'gateway', trees: async () => DEEP });
    expect(report).to.deep.equal({ end: { created: ['README.md', 'step'] }, hint: null, unexpected: null });
    expect(await readFile(`${root}/app/step/data/a.txt`, 'utf8')).to.equal('a');
    expect(codeOf(await init({ example: 'gateway', trees: async () => DEEP }))).to.equal(
      'initialization_target_exists',
    );
  });

  it('says when an example is not part of the build, and creates nothing', async () => {
    const report = await init({ example: 'llm-replay' });
    expect(codeOf(report)).to.equal('internal_error');
    expect(report.hint).to.include('example');
    expect(await contentsOf(root)).to.deep.equal({});
  });

  it('ignores a slash at the end', async () => {
    expect(codeOf(await init({ directory: `${root}/app//` }))).to.equal('ok');
  });

  const refusals: readonly (readonly [string, string, (at: string) => Promise<unknown>, string])[] = [
    [
      'a directory that holds something',
      'app',
      async (at) => {
        await mkdir(`${at}/app`);
        await writeFile(`${at}/app/.hidden`, '');
      },
      'initialization_target_exists',
    ],
    ['a link to a directory', 'app', (at) => symlink(at, `${at}/app`), 'initialization_target_exists'],
    ['an existing file', 'app', (at) => writeFile(`${at}/app`, ''), 'initialization_target_exists'],
    ['a link that leads nowhere', 'app', (at) => symlink('/none', `${at}/app`), 'initialization_target_exists'],
    ['no parent', 'none/app', async () => null, 'initialization_parent_missing'],
    ['a parent that is a file', 'file/app', (at) => writeFile(`${at}/file`, ''), 'initialization_parent_unusable'],
    ['a parent that others may change', 'app', (at) => chmod(at, 0o777), 'initialization_parent_unusable'],
  ];
  for (const [what, target, prepare, code] of refusals) {
    it(`refuses ${what}: ${code}, exit 7`, async () => {
      await prepare(root);
      const before = await contentsOf(root);
      const report = await init({ directory: `${root}/${target}` });
      expect(codeOf(report)).to.equal(code);
      expect(await contentsOf(root)).to.deep.equal(before);
    });
  }

  it('fills an empty directory, which stays the one that it was', async () => {
    await mkdir(`${root}/app`, { mode: 0o750 });
    const before = await stat(`${root}/app`);
    expect(codeOf(await init())).to.equal('ok');
    const after = await stat(`${root}/app`);
    expect([after.ino, after.mode]).to.deep.equal([before.ino, before.mode]);
    expect(Object.keys(await contentsOf(`${root}/app`))).to.have.members(INIT_LISTS.scaffold);
    expect(codeOf(await init())).to.equal('initialization_target_exists');
  });

  it('a fault at any one call leaves an empty directory filled or empty', async () => {
    const over = { example: 'llm-replay', trees: async () => DEEP } as const;
    const count = faultyFileSystem(nodeFileSystem(), null);
    await mkdir(`${root}/counted`);
    await init({ ...over, fileSystem: count.fileSystem, directory: `${root}/counted` });
    for (let at = 1; at <= count.calls(); at += 1) {
      const faulty = faultyFileSystem(nodeFileSystem(), { at, manner: { kind: 'error', errno: 'EIO' } });
      const name = `at-${at}`;
      await mkdir(`${root}/${name}`);
      const report = await init({ ...over, fileSystem: faulty.fileSystem, directory: `${root}/${name}` });
      const made = Object.keys(await contentsOf(`${root}/${name}`)).filter((path) => !path.startsWith('.svc-private-'));
      expect(report.unexpected, name).to.equal(null);
      expect(made.length, name).to.equal(codeOf(report) === 'ok' ? 5 : 0);
    }
  });

  it('a fault at any one call leaves the whole tree or nothing', async () => {
    const count = faultyFileSystem(nodeFileSystem(), null);
    await init({
      fileSystem: count.fileSystem,
      directory: `${root}/counted`,
      example: 'llm-replay',
      trees: async () => DEEP,
    });
    for (let at = 1; at <= count.calls(); at += 1) {
      for (const errno of ['EIO', 'EEXIST']) {
        const faulty = faultyFileSystem(nodeFileSystem(), { at, manner: { kind: 'error', errno } });
        const name = `at-${at}-${errno}`;
        const report = await init({
          fileSystem: faulty.fileSystem,
          directory: `${root}/${name}`,
          example: 'llm-replay',
          trees: async () => DEEP,
        });
        const made = Object.keys(await contentsOf(root)).filter((path) => path.startsWith(`${name}/`));
        expect(report.unexpected, name).to.equal(null);
        expect(made.length, name).to.equal(codeOf(report) === 'ok' ? 5 : 0);
      }
    }
  });

  it('killed at any one call, nothing but an empty claim can have the name', async () => {
    const count = faultyFileSystem(nodeFileSystem(), null);
    await init({ fileSystem: count.fileSystem, directory: `${root}/counted` });
    for (let at = 1; at <= count.calls(); at += 1) {
      const faulty = faultyFileSystem(nodeFileSystem(), { at, manner: { kind: 'crash', when: 'after' } });
      const report = await init({ fileSystem: faulty.fileSystem, directory: `${root}/at-${at}` });
      await faulty.closeAll();
      const made = Object.keys(await contentsOf(root)).filter((path) => path.startsWith(`at-${at}/`));
      expect(report.unexpected instanceof Crash || codeOf(report) === 'ok').to.equal(true);
      expect(made.length).to.be.oneOf([0, INIT_LISTS.scaffold.length]);
    }
  });
});
