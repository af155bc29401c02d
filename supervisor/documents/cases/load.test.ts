import { expect } from 'chai';
import { createDocumentReader } from '../document-reader.ts';
import { assembled, placedTexts } from '../explain/assemble.ts';
import { memoryFileSystem, type MemoryEntry } from '../testing/memory-file-system.ts';
import { loadCases, type CaseSources, type FixtureNeed } from './load.ts';

type Tree = Readonly<Record<string, MemoryEntry | object>>;

function filesOf(tree: Tree): Readonly<Record<string, MemoryEntry>> {
  return Object.fromEntries(
    Object.entries(tree).map(([path, entry]) => [
      `/p/${path}`,
      typeof entry === 'string' || entry instanceof Uint8Array ? entry : JSON.stringify(entry),
    ]),
  );
}

async function load(tree: Tree, tests: CaseSources['tests'] = null, need?: FixtureNeed) {
  const files = filesOf(tree);
  const listFolder = async (path: string): Promise<readonly string[] | null> => {
    const names = Object.keys(files)
      .filter((file) => file.startsWith(`${path}/`))
      .map((file) => file.slice(path.length + 1))
      .filter((name) => !name.includes('/'));
    return names.length === 0 ? null : names.toSorted();
  };
  return loadCases(createDocumentReader(memoryFileSystem(files), '/p'), { directory: '/p', tests }, listFolder, need);
}

/** Where each fault is, and what is wrong, as a person in the project's folder reads it. */
async function faults(tree: Tree, tests: CaseSources['tests'] = null): Promise<readonly string[]> {
  const loaded = await load(tree, tests);
  if (loaded.ok) return [];
  const failureExplanation = assembled(loaded.diagnostic, placedTexts(loaded.texts, '/p'));
  return (failureExplanation?.faults ?? []).map(
    ({ place, problem, remedy }) =>
      `${place?.opens ?? ''}:${String(place?.line)}:${String(place?.column)} ${problem ?? loaded.diagnostic.message} | ${remedy ?? ''}`,
  );
}

async function names(tree: Tree, tests: CaseSources['tests'] = null): Promise<readonly string[] | string> {
  const loaded = await load(tree, tests);
  return loaded.ok ? loaded.value.map(({ name }) => name) : loaded.diagnostic.code;
}

const one = (name: string, members: object = {}): object => ({ name, expect: {}, ...members });

describe('files of cases (first-day.md §2)', () => {
  it('hold one case, or a list of them, in the order of their names', async () => {
    expect(await names({ 'tests/b.json': one('single'), 'tests/a.json': [one('first'), one('second')] })).to.deep.equal(
      ['first', 'second', 'single'],
    );
  });

  for (const [kind, text, message] of [
    ['a broken syntax', '{"name":', 'the case file is not strict JSON: its syntax is broken'],
    ['a duplicate member', '{"name":"a","name":"b","expect":{}}', 'the case file violates rule duplicate_property'],
    ['an unknown member', '{"name":"a","expekt":{}}', 'the case file violates rule required'],
    ['members that exclude each other', JSON.stringify(one('a', { input: {}, input_file: 'i.json' })), 'the case file'],
  ] as const)
    it(`are called case files where they have ${kind}`, async () => {
      const loaded = await load({ 'tests/a.json': text });
      expect(loaded.ok ? 'no fault' : loaded.diagnostic.message).to.include(message);
    });

  it('are those of the folder tests, or those that the project names', async () => {
    const tree = { 'tests/a.json': one('a'), 'more/b.json': one('b'), 'c.json': one('c') };
    expect(await names(tree, ['more', 'c.json'])).to.deep.equal(['b', 'c']);
    expect(await names({ 'more/b.json': one('b') })).to.deep.equal([]);
    expect(await faults({}, ['more'])).to.have.length(1);
  });

  it('may have a byte order mark', async () => {
    expect(await names({ 'tests/a.json': `\u{feff}${JSON.stringify(one('a'))}` })).to.deep.equal(['a']);
  });

  it('do not count what a case names', async () => {
    const tree = {
      'tests/a.json': one('a', { input_file: 'in.json', fixtures: 'a.jsonl' }),
      'tests/in.json': { x: 1 },
      'tests/a.jsonl': '{}',
      'tests/a.svc-host.json': { install: {} },
    };
    expect(await names(tree)).to.deep.equal(['a']);
  });

  it('name inputs and fixtures from their own folder', async () => {
    const loaded = await load({
      'tests/a.json': one('a', { input_file: '../in.json', fixtures: 'f/a.jsonl' }),
      'in.json': { x: 1 },
      'tests/f/a.jsonl': '',
    });
    if (!loaded.ok) expect.fail(loaded.diagnostic.message);
    expect(loaded.value[0]).to.deep.include({ input: new Map([['x', 1]]), fixtures: '/p/tests/f/a.jsonl' });
  });

  it('name fixtures that need not be there while they are recorded', async () => {
    const loaded = await load({ 'tests/a.json': one('a', { fixtures: 'a.jsonl' }) }, null, 'recorded');
    expect(loaded.ok).to.equal(true);
  });

  const refused: readonly (readonly [what: string, tree: Tree, fault: RegExp])[] = [
    ['an unknown member', { 'tests/a.json': '{"name": "a",\n "expected": {}, "expect": {}}' }, /a\.json:2:2 .*expect/],
    ['an unknown expectation', { 'tests/a.json': one('a', { expect: { valu: 1 } }) }, /a\.json:1:\d+ .*value/],
    ['a case without a name', { 'tests/a.json': { expect: {} } }, /a\.json:1:1 .*add "name"/],
    ['a case without what it expects', { 'tests/a.json': { name: 'a' } }, /a\.json:1:1 .*add "expect"/],
    ['no JSON', { 'tests/a.json': '[{"name": "a",]' }, /a\.json:1:\d+ /],
    ['a key twice', { 'tests/a.json': '{"name": "a", "name": "b", "expect": {}}' }, /a\.json:1:15 .*twice|keep one/],
    ['no object', { 'tests/a.json': '7' }, /a\.json:1:1 /],
    ['both forms of an input', { 'tests/a.json': one('a', { input: {}, input_file: 'a.json' }) }, /keep input or/],
    ['fixtures of a live case', { 'tests/a.json': one('a', { fixtures: 'a.json', live: true }) }, /keep fixtures or/],
    ['an input that is no file', { 'tests/a.json': one('a', { input_file: 'x.json' }) }, /there is no such file/],
    ['fixtures that are no file', { 'tests/a.json': one('a', { fixtures: 'x.jsonl' }) }, /svc test --record/],
    ['an absolute path', { 'tests/a.json': one('a', { input_file: '/etc/x' }) }, /relative to the folder/],
    [
      'an input that is no object',
      { 'tests/a.json': one('a', { input_file: 'in.json' }), 'tests/in.json': '[1]' },
      /in\.json:1:1 an input is an object/,
    ],
    [
      'a broken input',
      { 'tests/a.json': one('a', { input_file: 'in.json' }), 'tests/in.json': '{"x": }' },
      /in\.json:1:7 /,
    ],
    ['a name twice in a file', { 'tests/a.json': [one('a'), one('a')] }, /the name "a" is that of another case/],
    ['a name twice in two files', { 'tests/a.json': one('a'), 'tests/b.json': one('a') }, /b\.json:1:2 .*a\.json/],
    ['an error that there is not', { 'tests/a.json': one('a', { expect: { error: 'nope' } }) }, /a\.json:1:\d+ /],
    [
      'an error beside a value',
      { 'tests/a.json': one('a', { expect: { error: 'explicit_failure', value: 1 } }) },
      /keep error or value/,
    ],
    [
      'a schema that is none',
      { 'tests/a.json': one('a', { expect: { schema: { type: 'strin' } } }) },
      /a\.json:1:\d+ .*string/,
    ],
    ['no repetition', { 'tests/a.json': one('a', { repeat: 0 }) }, /at least 1|1 to 1000/],
  ];
  for (const [what, tree, fault] of refused) {
    it(`refuse ${what}, with its place`, async () => {
      expect((await faults(tree)).join('\n')).to.match(fault);
    });
  }

  it('tell the faults of all files at once', async () => {
    expect(await faults({ 'tests/a.json': { expect: {} }, 'tests/b.json': { name: 'b' } })).to.have.length(2);
  });

  it('have a schema for results of any type', async () => {
    const loaded = await load({
      'tests/a.json': one('a', { expect: { schema: { type: 'array', items: { type: 'integer' } } } }),
    });
    if (!loaded.ok) expect.fail(loaded.diagnostic.message);
    expect(loaded.value[0]?.schema?.isWrapped).to.equal(true);
  });
});
