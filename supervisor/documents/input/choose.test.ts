import { expect } from 'chai';
import { load, MANIFEST } from '../testing/application-tree.ts';
import type { Tree } from '../testing/application-tree.ts';
import type { MemoryEntry } from '../testing/memory-file-system.ts';

async function chosen(tree: Tree): Promise<string> {
  const outcome = await load(tree);
  if (outcome.ok) return `${outcome.value.input.text} ${outcome.value.input.dataClass} ${outcome.value.input.origin}`;
  const { code, source, path } = outcome.diagnostic;
  return `${code} ${source?.kind ?? '-'} ${JSON.stringify(path)}`;
}

const declared = (text: MemoryEntry): Tree => ({ manifest: { ...MANIFEST, input: { path: 'in.json' } }, files: { '/app/in.json': text } });
const alternate = (path: string, files: Readonly<Record<string, MemoryEntry>>, dataClass: 'normal' | 'private' = 'normal'): Tree => ({
  files,
  options: { input: { path, dataClass } },
});

describe('the input of a run (documents.md §3, "Input choice")', () => {
  const cases: readonly (readonly [string, Tree, string])[] = [
    ['is the inline value, in canonical form', { manifest: { ...MANIFEST, input: { value: { b: 1, a: [1, 2] } } } }, '{"a":[1,2],"b":1} normal declared'],
    ['is the declared file', declared('{"a":1.0}'), '{"a":1.0} normal declared'],
    ['must be there', { manifest: { ...MANIFEST, input: { path: 'in.json' } } }, 'reference_missing application null'],
    ['must be JSON', declared('{'), 'invalid_json application null'],
    ['must be an object', declared('[]'), 'input_invalid application ""'],
    ['has no key twice', declared('{"a":{"k":1,"k":2}}'), 'duplicate_property application ""'],
    ['is bounded', declared(' '.repeat(2_000_001)), 'document_limit_exceeded application null'],
    ['is first a name of the application', alternate('x.json', { '/app/x.json': '{"app":1}', '/desk/x.json': '{"work":1}' }), '{"app":1} normal external'],
    ['is else a path of the working directory', alternate('x.json', { '/desk/x.json': '{"work":1}' }), '{"work":1} normal external'],
    ['may be absolute', alternate('/data/X.json', { '/data/X.json': '{}' }, 'private'), '{} private external'],
    ['may go up from the working directory', alternate('../data/x.json', { '/data/x.json': '{}' }), '{} normal external'],
    ['is not looked for elsewhere when the name is unusable', alternate('x.json', { '/app/x.json': { special: true }, '/desk/x.json': '{}' }), 'reference_missing external_input null'],
    ['does not leave the application by a link', alternate('/app/x.json', { '/app/x.json': { link: '/data/x.json' }, '/data/x.json': '{}' }), 'reference_missing external_input null'],
    ['must be there, too', alternate('x.json', {}), 'reference_missing external_input null'],
    ['must be an object, too', alternate('x.json', { '/desk/x.json': '1' }), 'input_invalid external_input ""'],
    ['must be JSON, too', alternate('x.json', { '/desk/x.json': '' }), 'invalid_json external_input null'],
    ['refuses an empty path', alternate('', {}), 'reference_missing external_input null'],
  ];
  for (const [title, tree, expected] of cases) {
    it(title, async () => {
      expect(await chosen(tree)).to.equal(expected);
    });
  }

  it('is not opened where another replaces it', async () => {
    const tree = { ...declared({ special: true }), options: { input: { path: '/desk/x.json', dataClass: 'normal' } } } satisfies Tree;
    expect(await chosen({ ...tree, files: { ...tree.files, '/desk/x.json': '{}' } })).to.equal('{} normal external');
  });

  it('meets its contract, with the source that it came from', async () => {
    const contract = JSON.stringify({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] });
    const manifest = { ...MANIFEST, contracts: { input_schema: { path: 'contract.json' } } };
    const files = { '/app/contract.json': contract, '/desk/x.json': '{"name":1}' };
    expect(await chosen({ manifest, files })).to.equal('{"name":"world"} normal declared');
    expect(await chosen({ manifest, files, options: { input: { path: 'x.json', dataClass: 'normal' } } })).to.equal('input_contract_failed external_input "/name"');
    expect(await chosen({ manifest: { ...manifest, input: { value: {} } }, files })).to.equal('input_contract_failed application "/name"');
  });
});
