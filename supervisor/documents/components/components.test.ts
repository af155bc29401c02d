import { expect } from 'chai';
import { brief, compiled, exportFact, load, MANIFEST, type Tree } from '../testing/application-tree.ts';
import type { Library, LibraryRegistry } from './libraries.ts';

function library(id: string, ...dependencies: string[]): readonly [string, Library] {
  return [id, { id, dependencies, source: new TextEncoder().encode(`(ns ${id})`) }];
}

const libraries: LibraryRegistry = new Map([
  library('llm'),
  library('agent.core', 'llm'),
  library('agent.main', 'agent.core', 'llm'),
  ...Array.from({ length: 128 }, (_, index) => library(`many${index}`, ...(index === 0 ? [] : [`many${index - 1}`]))),
]);

const main = { id: 'main', path: 'main.clj' };
const components = (...list: unknown[]): Tree => ({
  manifest: { ...MANIFEST, workflow: { components: list, entry: 'main/run' } },
  options: { libraries },
});

async function loadText(tree: Tree): Promise<string> {
  const outcome = await load(tree);
  return outcome.ok
    ? outcome.value.environments.workflow.map(({ id, origin }) => `${id} ${origin}`).join(', ')
    : brief(outcome.diagnostic);
}

describe('components of an environment (documents.md §3)', () => {
  const cases: readonly (readonly [string, Tree, string])[] = [
    [
      'expand libraries, once each',
      components({ library: 'agent.main' }, { library: 'llm' }, main),
      'agent.main library, agent.core library, llm library, main local',
    ],
    ['refuse one library twice', components({ library: 'llm' }, { library: 'llm' }, main), 'schema_violation'],
    ['refuse an unknown library', components({ library: 'secret' }, main), 'schema_violation'],
    [
      'refuse the id of an expanded library',
      components({ library: 'agent.main' }, { id: 'llm', path: 'main.clj' }, main),
      'schema_violation',
    ],
    [
      'refuse a local component that would own the private routes',
      components({ id: 'agent.core', path: 'main.clj' }),
      'schema_violation',
    ],
    [
      'admit a local component under the id of a library that is not there',
      components({ id: 'llm', path: 'main.clj' }),
      'llm local',
    ],
    ['refuse more than 128 after expansion', components({ library: 'many127' }, main), 'schema_violation'],
    ['refuse a missing file', components({ id: 'main', path: 'none.clj' }), 'reference_missing'],
    [
      'refuse a large source',
      { ...components(main), files: { '/app/main.clj': ' '.repeat(2_000_001) } },
      'document_limit_exceeded',
    ],
    [
      'refuse sources that are too large together',
      {
        manifest: {
          ...MANIFEST,
          missions: {
            a: { components: [{ id: 'large', path: 'large.clj' }] },
            b: { components: [{ id: 'large', path: 'large.clj' }] },
          },
        },
        files: { '/app/large.clj': ' '.repeat(1_000_000) },
      },
      'schema_violation "/missions"',
    ],
  ];
  for (const [title, tree, expected] of cases) {
    it(title, async () => {
      expect(await loadText(tree)).to.equal(expected);
    });
  }

  it('names a local source by its path, a library by its id', async () => {
    const outcome = await load(components({ library: 'llm' }, main));
    expect(outcome.ok && outcome.value.environments.workflow.map(({ sourceName }) => sourceName)).to.deep.equal([
      'llm',
      'main.clj',
    ]);
  });

  it('compile a set of 128 within an application of 512 documents at most', async () => {
    const list = Array.from({ length: 128 }, (_, index) => ({
      id: index === 0 ? 'main' : `c${index}`,
      path: `c${index}.clj`,
    }));
    const files = Object.fromEntries(list.map((_, index) => [`/app/c${index}.clj`, `(ns c${index})`]));
    const outcome = await load({ ...components(...list), files, compile: () => compiled(exportFact()) });
    expect(outcome.ok && outcome.value.environments.workflow).to.have.length(128);
  });
});

describe('the closure of an application (documents.md §1)', () => {
  it('holds 512 documents at most', async () => {
    const registry = (chains: number, length: number) =>
      new Map(
        Array.from({ length: chains * length }, (_, index) =>
          library(`l${index}`, ...(index % length === 0 ? [] : [`l${index - 1}`])),
        ),
      );
    const tree = (chains: number): Tree => ({
      manifest: {
        ...MANIFEST,
        missions: Object.fromEntries(
          Array.from({ length: chains }, (_, index) => [
            `m${index}`,
            { components: [{ library: `l${index * 102 + 101}` }] },
          ]),
        ),
      },
      options: { libraries: registry(chains, 102) },
    });
    // With the manifest, its input and one source: 513 and 411.
    expect(await loadText(tree(5))).to.equal('document_limit_exceeded');
    expect(await loadText(tree(4))).to.equal('main local');
  });

  it('is bounded in bytes, each file counted once', async () => {
    const phases = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { path: `p${index}.json` }]));
    const padding = ' '.repeat(65_000);
    const files = Object.fromEntries(
      Array.from({ length: 16 }, (_, index) => [`/app/p${index}.json`, `{"type":"object"}${padding}`]),
    );
    const data = 'x'.repeat(1_900_000);
    const tree: Tree = {
      manifest: { ...MANIFEST, contracts: { phase_return_schemas: phases(16) } },
      files: { ...files, '/app/main.clj': `(ns main) "${data}"`, '/desk/in.json': JSON.stringify({ data }) },
      options: { input: { path: 'in.json', dataClass: 'normal' } },
    };
    // 1 MB of contracts, 1.9 MB of source and 1.9 MB of input are within 8 MiB.
    expect(await loadText(tree)).to.equal('main local');
  });
});
