import { expect } from 'chai';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EXAMPLE_LISTS, EXAMPLE_NAMES, type ExampleName } from '../../../contract/init-lists.ts';
import { removeScratch, scratchDirectory } from '../../evidence/publication/testing/scratch.ts';
import { exampleTrees } from './example-trees.ts';

const GENERATED: ReadonlySet<string> = new Set(['.env', '.gitignore', 'AGENTS.md']);

describe('example trees (cli.md §8)', () => {
  let root = '';
  beforeEach(async () => {
    root = await scratchDirectory();
  });
  afterEach(async () => {
    await removeScratch(root);
  });

  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(`${root}/${path}`), { recursive: true });
    await writeFile(`${root}/${path}`, text);
  };
  /** A folder with one file for each name of the list that is no file of every example. */
  const fill = async (example: ExampleName): Promise<void> => {
    for (const name of EXAMPLE_LISTS[example])
      if (!GENERATED.has(name)) await put(`${example}/${name}${name.includes('.') ? '' : '/deep/file'}`, '{}');
  };
  const textOf = async (example: ExampleName, name: string): Promise<string> =>
    new TextDecoder().decode((await exampleTrees(root)(example))?.get(name));

  for (const example of EXAMPLE_NAMES) {
    it(`${example} is exactly its published list`, async () => {
      expect(await exampleTrees(root)(example)).to.equal(null);
      await fill(example);
      const tree = await exampleTrees(root)(example);
      const names = new Set([...(tree?.keys() ?? [])].map((path) => path.replace(/\/deep\/file$/, '')));
      expect([...names]).to.have.members([...EXAMPLE_LISTS[example]]);
    });
  }

  it('of ours are whole, with their tests', async () => {
    expect(await exampleTrees(root)('long-logbook')).to.equal(null);
    await put('long-logbook/svc.json', '{}');
    await put('long-logbook/tests/cases.json', '[]');
    const tree = await exampleTrees(root)('long-logbook');
    expect([...(tree?.keys() ?? [])]).to.have.members(['svc.json', 'tests/cases.json', '.gitignore', 'AGENTS.md']);
  });

  it('are none while a name is missing or one too many is there', async () => {
    await fill('llm-replay');
    await put('llm-replay/more', '');
    expect(await exampleTrees(root)('llm-replay')).to.equal(null);
    await put('debug-a-failed-run/target/svc.json', '{}');
    expect(await exampleTrees(root)('debug-a-failed-run')).to.equal(null);
  });

  it('are not changed by what runs in them left, nor by the credentials of who ran them', async () => {
    await fill('kernel-tutorial');
    const before = await exampleTrees(root)('kernel-tutorial');
    await put('kernel-tutorial/.svc/traces/cmd-0.jsonl', '');
    await put('kernel-tutorial/02-deepseek-extract/.svc/traces/cmd-0.jsonl', '');
    await put('kernel-tutorial/.svc-private-result-1', 'private');
    await put('kernel-tutorial/.env', 'MODEL_KEY=secret\n');
    expect(before).to.not.equal(null);
    expect(await exampleTrees(root)('kernel-tutorial')).to.deep.equal(before);
  });

  it('bring what every example has', async () => {
    await fill('named-mission-reader-writer');
    expect(await textOf('named-mission-reader-writer', '.gitignore')).to.equal(
      '.env\n.svc/\n.svc-private-*\n.svc-private-result-*\n',
    );
    const card = await textOf('named-mission-reader-writer', 'AGENTS.md');
    expect(card).to.include('README.md');
    expect(Buffer.byteLength(card)).to.be.at.most(2048);
  });

  it('name the variables of their hosts in comments, once, in order, and assign nothing', async () => {
    await fill('kernel-tutorial');
    await put(
      'kernel-tutorial/svc-host.json',
      JSON.stringify({
        credentials: { b: { env: 'MODEL_KEY' }, a: { env: 'A_KEY' }, f: { file: 'x' }, l: { literal: 'secret' } },
      }),
    );
    await put(
      'kernel-tutorial/svc-host-cost-budget.json',
      JSON.stringify({ credentials: { b: { env: 'MODEL_KEY' } } }),
    );
    const text = await textOf('kernel-tutorial', '.env');
    expect(text.split('\n').slice(1)).to.deep.equal(['# A_KEY=', '# MODEL_KEY=', '']);
    for (const line of text.trimEnd().split('\n')) expect(line).to.match(/^#/);
  });

  it('of the project are all whole', async () => {
    const folder = join(import.meta.dirname, '../../../examples');
    for (const example of EXAMPLE_NAMES) expect(await exampleTrees(folder)(example), example).to.not.equal(null);
    expect(await readdir(folder)).to.include.members([...EXAMPLE_NAMES]);
  });
});
