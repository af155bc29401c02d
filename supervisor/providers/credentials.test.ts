import { expect } from 'chai';
import { inspect } from 'node:util';
import { load, MANIFEST, type Plain } from '../documents/testing/application-tree.ts';
import { memoryFileSystem, type MemoryEntry } from '../documents/testing/memory-file-system.ts';
import { host, HTTP, LLM, REPLAY, STDIO } from '../documents/testing/hosts.ts';
import type { Occurrence } from './source/installed-provider.ts';
import { CREDENTIAL_BYTES, resolveCredentials } from './credentials.ts';

interface Setting {
  readonly credentials: Plain;
  readonly install: Plain;
  readonly variables?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, MemoryEntry>>;
}

async function resolve({ credentials, install, variables = {}, files = {} }: Setting) {
  const isModel = (one: unknown): boolean =>
    typeof one === 'object' && one !== null && 'source' in one && one.source !== 'mcp';
  const names = (models: boolean) =>
    Object.entries(install)
      .filter(([, one]) => isModel(one) === models)
      .map(([name]) => ({ name }));
  const application = await load({
    manifest: { ...MANIFEST, providers: { workflow: names(true), mission: names(false) } },
    host: host(install, { credentials }),
  });
  if (!application.ok) throw new Error(`${application.diagnostic.code}: ${application.diagnostic.message}`);
  const { providers, host: loaded } = application.value;
  const occurrences = [...providers.workflow, ...providers.mission];
  const requested: string[] = [];
  const variable = (name: string): string | undefined => {
    requested.push(name);
    return variables[name];
  };
  const resolved = await resolveCredentials({
    occurrences,
    host: loaded,
    sources: { variable, files: memoryFileSystem({ '/etc/host.json': '{}', ...files }) },
  });
  return { resolved, occurrences, asked: requested };
}

/** What the one credential of one model comes to. */
async function valueOf(credential: Plain, setting: Partial<Setting> = {}): Promise<string> {
  const {
    resolved,
    occurrences: [model],
  } = await resolve({
    credentials: { key: credential },
    install: { model: { ...LLM, credential: 'key' } },
    ...setting,
  });
  if (model === undefined) throw new Error('one is selected');
  return resolved.ok ? (resolved.value.of(model.provider).get('key')?.reveal() ?? 'absent') : resolved.diagnostic.code;
}

const REFUSED = 'credential_unavailable';
const LONGEST = 'x'.repeat(CREDENTIAL_BYTES);

describe('the values of credentials (providers.md §4)', () => {
  const rows: readonly (readonly [string, Plain, Partial<Setting>, string])[] = [
    ['a variable', { env: 'K' }, { variables: { K: ' v\n' } }, 'v'],
    ['a variable that is not there', { env: 'K' }, {}, REFUSED],
    ['a variable that is empty', { env: 'K' }, { variables: { K: '' } }, REFUSED],
    ['a variable of white space', { env: 'K' }, { variables: { K: ' \t\n' } }, REFUSED],
    ['a variable with a NUL', { env: 'K' }, { variables: { K: 'a\0b' } }, REFUSED],
    ['a variable that is no text', { env: 'K' }, { variables: { K: 'a\uD800b' } }, REFUSED],
    ['the longest', { env: 'K' }, { variables: { K: ` ${LONGEST} ` } }, LONGEST],
    ['a longer one', { env: 'K' }, { variables: { K: `${LONGEST}x` } }, REFUSED],
    ['a line feed inside', { env: 'K' }, { variables: { K: 'a\nb' } }, 'a\nb'],
    ['what is written down', { literal: ' v ' }, {}, 'v'],
    ['white space that is written down', { literal: ' ' }, {}, REFUSED],
    ['a file beside the host document', { file: './keys//key' }, { files: { '/etc/keys/key': 'v\n' } }, 'v'],
    ['a file anywhere', { file: '/run/key' }, { files: { '/run/key': 'v\n' } }, 'v'],
    ['a file that is not there', { file: 'key' }, {}, REFUSED],
    [
      'a link out of the directory',
      { file: 'key' },
      { files: { '/etc/key': { link: '/run/key' }, '/run/key': 'v' } },
      REFUSED,
    ],
    ['a file that is no text', { file: 'key' }, { files: { '/etc/key': Uint8Array.of(0xff, 0x41) } }, REFUSED],
    ['the longest file', { file: 'key' }, { files: { '/etc/key': LONGEST } }, LONGEST],
    [
      'a longer file, though only of white space',
      { file: 'key' },
      { files: { '/etc/key': `v${' '.repeat(CREDENTIAL_BYTES)}` } },
      REFUSED,
    ],
  ];
  const MISSING: readonly (readonly [string, Plain, Partial<Setting>, string])[] = [
    [
      'a variable',
      { env: 'K' },
      {},
      'the credential key of model: the variable K is not set; declared at /credentials/key of the host document',
    ],
    [
      'an empty variable',
      { env: 'K' },
      { variables: { K: ' ' } },
      'the credential key of model: the variable K holds no text that can be used; declared at /credentials/key of the host document',
    ],
    [
      'a file',
      { file: 'keys/key' },
      {},
      'the credential key of model: the file keys/key cannot be read; declared at /credentials/key of the host document',
    ],
    [
      'a literal',
      { literal: ' ' },
      {},
      'the credential key of model holds no text that can be used; declared at /credentials/key of the host document',
    ],
  ];
  for (const [what, credential, setting, text] of MISSING) {
    it(`${what} that is missing is told beside the diagnostic, with where it is declared (first-day.md §3)`, async () => {
      const { resolved } = await resolve({
        credentials: { key: credential },
        install: { model: { ...LLM, credential: 'key' } },
        ...setting,
      });
      expect(resolved).to.have.nested.property('advice.faults.faults[0].problem', text);
    });
  }

  for (const [what, credential, setting, value] of rows) {
    it(`${what}: ${value === REFUSED ? 'refused' : 'taken'}`, async () => {
      expect(await valueOf(credential, setting)).to.equal(value);
    });
  }

  const BOTH = {
    credentials: { one: { env: 'ONE' }, two: { env: 'TWO' }, idle: { env: 'IDLE' } },
    variables: { ONE: 'first', TWO: 'second', IDLE: 'never' },
  };

  it('are asked for once each, and for selected installations alone', async () => {
    const server = {
      ...STDIO,
      transport: { ...STDIO.transport, env: { A: { binding: 'two' }, B: { binding: 'one' } } },
    };
    const { asked } = await resolve({
      ...BOTH,
      install: { a: { ...LLM, credential: 'one' }, b: { ...LLM, credential: 'one' }, c: server },
    });
    expect(asked).to.deep.equal(['ONE', 'TWO']);
  });

  it('reach the provider that names them, and no other', async () => {
    const web = { ...HTTP, transport: { ...HTTP.transport, auth: [{ scheme: 'bearer', binding: 'two' }] } };
    const { resolved, occurrences } = await resolve({
      ...BOTH,
      install: { a: { ...LLM, credential: 'one' }, b: web, c: REPLAY },
    });
    if (!resolved.ok) throw new Error(resolved.diagnostic.code);
    const secretsFor = ({ provider }: Occurrence) =>
      [...resolved.value.of(provider)].map(([name, secret]) => [name, secret.reveal()]);
    expect(occurrences.map((occurrence) => [occurrence.alias, secretsFor(occurrence)])).to.deep.equal([
      ['a', [['one', 'first']]],
      ['c', []],
      ['b', [['two', 'second']]],
    ]);
    const [a] = occurrences;
    if (a === undefined) throw new Error('three are selected');
    expect(resolved.value.of(a.provider)).not.to.equal(resolved.value.of(a.provider));
    expect(inspect(resolved, { depth: 9, showHidden: true })).not.to.match(/first|second|never/);
  });

  it('that cannot be had are told by the first alias that names any, be it another', async () => {
    const { resolved } = await resolve({
      ...BOTH,
      variables: { ONE: 'first' },
      install: { a: REPLAY, b: { ...LLM, credential: 'one' }, c: { ...LLM, credential: 'two' } },
    });
    expect(resolved).to.have.nested.property('diagnostic.code', REFUSED);
    expect(resolved).to.have.deep.nested.property('diagnostic.subject', {
      kind: 'provider',
      name: 'b',
      operation: 'credentials',
      occurrence: null,
    });
    expect(resolved).to.have.nested.property('diagnostic.provider_activity', false);
  });
});
