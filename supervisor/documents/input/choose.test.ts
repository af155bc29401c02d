import { expect } from 'chai';
import type { StreamRead } from './alternate.ts';
import { load, MANIFEST, type Tree } from '../testing/application-tree.ts';
import type { MemoryEntry } from '../testing/memory-file-system.ts';

async function chosen(tree: Tree): Promise<string> {
  const outcome = await load(tree);
  if (outcome.ok) return `${outcome.value.input.text} ${outcome.value.input.dataClass} ${outcome.value.input.origin}`;
  const { code, source, path } = outcome.diagnostic;
  return `${code} ${source?.kind ?? '-'} ${JSON.stringify(path)}`;
}

const declared = (text: MemoryEntry): Tree => ({
  manifest: { ...MANIFEST, input: { path: 'in.json' } },
  files: { '/app/in.json': text },
});
const alternate = (
  path: string,
  files: Readonly<Record<string, MemoryEntry>>,
  dataClass: 'normal' | 'private' = 'normal',
): Tree => ({
  files,
  options: { input: { path, dataClass } },
});

/** A stream of this text, which never gives more than it is asked for. */
function streamed(content: string | StreamRead, dataClass: 'normal' | 'private' = 'normal'): Tree {
  const read = async (limit: number): Promise<StreamRead> =>
    typeof content === 'string' ? { ok: true, bytes: new TextEncoder().encode(content).subarray(0, limit) } : content;
  return { options: { input: { stream: { name: 'input', read }, dataClass } } };
}

describe('the input of a run (documents.md §3, "Input choice")', () => {
  const cases: readonly (readonly [string, Tree, string])[] = [
    [
      'is the inline value, in canonical form',
      { manifest: { ...MANIFEST, input: { value: { b: 1, a: [1, 2] } } } },
      '{"a":[1,2],"b":1} normal declared',
    ],
    ['is the declared file', declared('{"a":1.0}'), '{"a":1.0} normal declared'],
    ['must be there', { manifest: { ...MANIFEST, input: { path: 'in.json' } } }, 'reference_missing application null'],
    ['must be JSON', declared('{'), 'invalid_json application null'],
    ['must be an object', declared('[]'), 'input_invalid application ""'],
    ['has no key twice', declared('{"a":{"k":1,"k":2}}'), 'duplicate_property application ""'],
    ['is bounded', declared(' '.repeat(2_000_001)), 'document_limit_exceeded application null'],
    [
      'is first a name of the application',
      alternate('x.json', { '/app/x.json': '{"app":1}', '/desk/x.json': '{"work":1}' }),
      '{"app":1} normal external',
    ],
    [
      'is else a path of the working directory',
      alternate('x.json', { '/desk/x.json': '{"work":1}' }),
      '{"work":1} normal external',
    ],
    ['may be absolute', alternate('/data/X.json', { '/data/X.json': '{}' }, 'private'), '{} private external'],
    [
      'may go up from the working directory',
      alternate('../data/x.json', { '/data/x.json': '{}' }),
      '{} normal external',
    ],
    [
      'is not looked for elsewhere when the name is unusable',
      alternate('x.json', { '/app/x.json': { special: true }, '/desk/x.json': '{}' }),
      'reference_missing external_input null',
    ],
    [
      'does not leave the application by a link',
      alternate('/app/x.json', { '/app/x.json': { link: '/data/x.json' }, '/data/x.json': '{}' }),
      'reference_missing external_input null',
    ],
    ['must be there, too', alternate('x.json', {}), 'reference_missing external_input null'],
    ['must be an object, too', alternate('x.json', { '/desk/x.json': '1' }), 'input_invalid external_input ""'],
    ['must be JSON, too', alternate('x.json', { '/desk/x.json': '' }), 'invalid_json external_input null'],
    ['refuses an empty path', alternate('', {}), 'reference_missing external_input null'],
    [
      "may be named with a dot, from the application's folder",
      { ...alternate('./x.json', { '/app/x.json': '{"app":1}' }), directory: '/app' },
      '{"app":1} normal external',
    ],
    [
      'may be named with doubled slashes and inner dots',
      { ...alternate('.//data/./x.json', { '/app/data/x.json': '{"app":1}' }), directory: '/app' },
      '{"app":1} normal external',
    ],
    [
      'may lie beside the application',
      { ...alternate('../y.json', { '/y.json': '{"up":1}' }), directory: '/app' },
      '{"up":1} normal external',
    ],
    [
      'may lie above a folder of the application',
      { ...alternate('../x.json', { '/app/x.json': '{"app":1}', '/app/sub/k': '' }), directory: '/app/sub' },
      '{"app":1} normal external',
    ],
    [
      'may go down and up again',
      { ...alternate('sub/../x.json', { '/app/x.json': '{"app":1}', '/app/sub/k': '' }), directory: '/app' },
      '{"app":1} normal external',
    ],
    [
      'goes up from where a link leads',
      {
        ...alternate('sub/../x.json', {
          '/app/x.json': '{"app":1}',
          '/data/x.json': '{"data":1}',
          '/data/in/k': '',
          '/desk/sub': { link: '/data/in' },
        }),
        directory: '/desk',
      },
      '{"data":1} normal external',
    ],
    [
      'is never above the root',
      { ...alternate('../../../data/x.json', { '/data/x.json': '{"root":1}' }), directory: '/app' },
      '{"root":1} normal external',
    ],
    [
      'with a dot is looked for in the working directory alone',
      alternate('./x.json', { '/app/x.json': '{}' }),
      'reference_missing external_input null',
    ],
    [
      'does not leave the application by a link below a dot',
      {
        ...alternate('./x.json', { '/app/x.json': { link: '/data/x.json' }, '/data/x.json': '{}' }),
        directory: '/app',
      },
      'reference_missing external_input null',
    ],
    [
      'does not leave the application by a link behind a way up',
      {
        ...alternate('sub/../x.json', {
          '/app/x.json': { link: '/data/x.json' },
          '/data/x.json': '{}',
          '/app/sub/k': '',
        }),
        directory: '/app',
      },
      'reference_missing external_input null',
    ],
    ['may be a file whose name is a dash', alternate('-', { '/desk/-': '{"dash":1}' }), '{"dash":1} normal external'],
    ['may come from a stream', streamed('{"s":1.0}'), '{"s":1.0} normal external'],
    ['may come from a stream and be private', streamed('{}', 'private'), '{} private external'],
    ['from a stream must be an object', streamed('[]'), 'input_invalid external_input ""'],
    ['from a stream must be JSON', streamed(''), 'invalid_json external_input null'],
    ['from a stream has its longest', streamed(`{}${' '.repeat(1_999_998)}`), '{} normal external'],
    ['from a stream is bounded', streamed(`{}${' '.repeat(1_999_999)}`), 'document_limit_exceeded external_input null'],
    [
      'from a stream that cannot be read is missing',
      streamed({ ok: false, fault: 'unreadable' }),
      'reference_missing external_input null',
    ],
    ['from a stream may be interrupted', streamed({ ok: false, fault: 'interrupted' }), 'internal_error - null'],
  ];
  for (const [title, tree, expected] of cases) {
    it(title, async () => {
      expect(await chosen(tree)).to.equal(expected);
    });
  }

  it('is not opened where another replaces it', async () => {
    const tree = {
      ...declared({ special: true }),
      options: { input: { path: '/desk/x.json', dataClass: 'normal' } },
    } satisfies Tree;
    expect(await chosen({ ...tree, files: { ...tree.files, '/desk/x.json': '{}' } })).to.equal('{} normal external');
  });

  it('meets its contract, with the source that it came from', async () => {
    const contract = JSON.stringify({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] });
    const manifest = { ...MANIFEST, contracts: { input_schema: { path: 'contract.json' } } };
    const files = { '/app/contract.json': contract, '/desk/x.json': '{"name":1}' };
    expect(await chosen({ manifest, files })).to.equal('{"name":"world"} normal declared');
    expect(await chosen({ manifest, files, options: { input: { path: 'x.json', dataClass: 'normal' } } })).to.equal(
      'input_contract_failed external_input "/name"',
    );
    expect(await chosen({ manifest: { ...manifest, input: { value: {} } }, files })).to.equal(
      'input_contract_failed application "/name"',
    );
  });
});
