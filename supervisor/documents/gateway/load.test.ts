import { expect } from 'chai';
import { createDocumentReader } from '../document-reader.ts';
import { memoryFileSystem } from '../testing/memory-file-system.ts';
import { loadGateway } from './load.ts';

const DIGEST = `sha256:${'0'.repeat(64)}`;
const TOOL = {
  name: 'ask',
  title: 'Ask',
  description: 'Asks',
  application: { manifest: '../app/svc.json' },
  expected_application_content_digest: DIGEST,
  installation_config_pins: {},
  provider_snapshot_pins: {},
};
const GATEWAY = {
  version: 1,
  listen: { address: '127.0.0.1', port: 8080, path: '/mcp' },
  authentication: { bearer: { binding: 'token' } },
  host: { path: 'svc-host.json' },
  admission: {
    max_inflight_requests: 1,
    max_concurrent_runs: 1,
    max_active_provider_calls: 1,
    max_waiting_provider_calls: 0,
  },
  tools: [TOOL],
};
const AUDIT = { directory: 'audit', max_file_bytes: 1024, max_retained_files: 2 };

async function code(document: unknown): Promise<string> {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const reader = createDocumentReader(memoryFileSystem({ '/etc/gateway.json': text }), '/etc');
  const loaded = loadGateway(await reader.readNamed('gateway.json', 1_000_000));
  return loaded.ok ? 'ok' : loaded.code;
}

const edited = (members: object) => ({ ...GATEWAY, ...members });
const origins = (...list: string[]) => edited({ listen: { ...GATEWAY.listen, allowed_origins: list } });

describe('the gateway document (documents.md §8, interface.md §2.2)', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['is admitted', GATEWAY, 'ok'],
    ['names only its own schema', edited({ $schema: 'urn:svc:schema:gateway:2' }), 'config_invalid'],
    ['must be JSON', '{', 'config_invalid'],
    ['is bounded', ' '.repeat(1_000_001), 'config_unavailable'],
    ['has no key twice', '{"version":1,"version":1}', 'duplicate_json_key'],
    ['listens on loopback', edited({ listen: { ...GATEWAY.listen, address: '0.0.0.0' } }), 'config_invalid'],
    ['holds no line feed', edited({ tools: [{ ...TOOL, title: 'a\nb' }] }), 'config_invalid'],
    ['has a tool', edited({ tools: [] }), 'config_invalid'],
    ['admits serialised origins', origins('https://a.example', 'http://localhost:3000'), 'ok'],
    ['refuses a path in an origin', origins('https://a.example/'), 'origin_invalid'],
    ['refuses a default port', origins('https://a.example:443'), 'origin_invalid'],
    ['refuses an upper-case host', origins('https://A.example'), 'origin_invalid'],
    ['refuses null', origins('null'), 'origin_invalid'],
    ['refuses one origin twice', origins('https://a.example', 'https://a.example'), 'config_invalid'],
    ['refuses one tool twice', edited({ tools: [TOOL, TOOL] }), 'tool_name_duplicate'],
    ['wants an audit where a tool may write', edited({ tools: [{ ...TOOL, allow_write: true }] }), 'audit_invalid'],
    ['wants no audit where none may', edited({ private_audit: AUDIT }), 'audit_invalid'],
    [
      'admits an audit where a tool may write',
      edited({ tools: [{ ...TOOL, allow_write: true }], private_audit: AUDIT }),
      'ok',
    ],
    ['tells origins before tools', { ...origins('x'), tools: [TOOL, TOOL] }, 'origin_invalid'],
  ];
  for (const [title, document, expected] of cases) {
    it(title, async () => {
      expect(await code(document)).to.equal(expected);
    });
  }

  const why = async (document: unknown, pins: 'pinned' | 'to_be_pinned' = 'pinned'): Promise<unknown> => {
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    const reader = createDocumentReader(memoryFileSystem({ '/etc/gateway.json': text }), '/etc');
    const loaded = loadGateway(await reader.readNamed('gateway.json', 1_000_000), pins);
    return loaded.ok ? 'ok' : [loaded.why.cause, loaded.why.pointer, loaded.why.detail];
  };
  const causes: readonly (readonly [string, unknown, unknown])[] = [
    [
      'a member that is missing',
      edited({ admission: { ...GATEWAY.admission, max_concurrent_runs: undefined } }),
      ['required', '/admission/max_concurrent_runs', null],
    ],
    [
      'a number that is too large',
      edited({ admission: { ...GATEWAY.admission, max_concurrent_runs: 65_536 } }),
      ['maximum', '/admission/max_concurrent_runs', 'bound: 65535'],
    ],
    [
      'a member that nobody knows',
      edited({ secret: 1 }),
      [
        'unknown_property',
        '',
        'allowed: $schema, version, listen, authentication, host, admission, artifacts, private_audit, tools',
      ],
    ],
    [
      'a value of another type',
      edited({ tools: [{ ...TOOL, allow_write: 'yes' }] }),
      ['type', '/tools/0/allow_write', null],
    ],
    ['broken JSON', '{', ['syntax', null, 'its syntax is broken']],
    ['a key that is there twice', '{"listen":{"port":1,"port":2}}', ['duplicate_property', '/listen', null]],
    ['too many bytes', ' '.repeat(1_000_001), ['limit_exceeded', null, 'bound: 1000000 bytes']],
    ['an origin', origins('https://a.example', 'null'), ['not_an_origin', '/listen/allowed_origins/1', null]],
    [
      'a name that is used twice',
      edited({ tools: [TOOL, { ...TOOL, name: 'other' }, TOOL] }),
      ['name_used_before', '/tools/2/name', null],
    ],
    [
      'an audit that is missing',
      edited({ tools: [{ ...TOOL, allow_write: true }] }),
      ['audit_missing', '/private_audit', null],
    ],
    ['an audit of nothing', edited({ private_audit: AUDIT }), ['audit_without_writes', '/private_audit', null]],
  ];
  for (const [title, document, expected] of causes) {
    it(`says which member and which rule: ${title}`, async () => {
      expect(await why(document)).to.deep.equal(expected);
    });
  }

  const advices: readonly (readonly [string, string, string])[] = [
    [
      'a member with a slip in its name',
      JSON.stringify(GATEWAY, null, 1).replace('"version"', '"versin"'),
      '2:2: did you mean version?',
    ],
    ['one that may be left out', JSON.stringify(edited({ artefacts: {} }), null, 1), '35:2: did you mean artifacts?'],
    [
      'a value of another type',
      JSON.stringify(edited({ host: { path: 7 } }), null, 1),
      '14:3: write a text of one line',
    ],
    [
      'a name that is used twice',
      JSON.stringify(edited({ tools: [TOOL, TOOL] }), null, 1),
      '35:4: give each tool a name of its own',
    ],
    [
      'an origin',
      JSON.stringify(origins('https://a.example/'), null, 1),
      '8:4: write an origin as browsers send it, for example https://app.example, without a path or the usual port',
    ],
    [
      'an audit of nothing',
      JSON.stringify(edited({ private_audit: AUDIT }), null, 1),
      '35:2: remove private_audit, or write allow_write at a tool that writes',
    ],
    ['broken JSON', '{\n "version": 1,\n}', '2:14: a comma stands behind the last member or item'],
  ];
  for (const [title, text, expected] of advices) {
    it(`says for a terminal where it is and what was meant: ${title}`, async () => {
      const reader = createDocumentReader(memoryFileSystem({ '/etc/gateway.json': text }), '/etc');
      const loaded = loadGateway(await reader.readNamed('gateway.json', 1_000_000));
      const { place, advice } = loaded.ok ? { place: undefined, advice: undefined } : loaded.why;
      expect(`${String(place?.line)}:${String(place?.column)}: ${String(advice)}`).to.equal(expected);
    });
  }

  it('lacks its pins where they are to be printed, and there alone', async () => {
    const {
      expected_application_content_digest: digest,
      installation_config_pins: installed,
      provider_snapshot_pins: opened,
      ...bare
    } = TOOL;
    const members = {
      expected_application_content_digest: digest,
      installation_config_pins: installed,
      provider_snapshot_pins: opened,
    };
    expect(await why(edited({ tools: [bare] }), 'to_be_pinned')).to.equal('ok');
    for (const name of Object.keys(members)) {
      const tool = { ...TOOL, [name]: undefined };
      expect(await why(edited({ tools: [tool] }), 'to_be_pinned'), name).to.equal('ok');
      expect(await why(edited({ tools: [tool] })), name).to.deep.equal(['required', `/tools/0/${name}`, null]);
      expect(await why(edited({ tools: [{ ...TOOL, [name]: 7 }] }), 'to_be_pinned'), name).to.include(
        `/tools/0/${name}`,
      );
    }
  });

  it('must be readable', async () => {
    const reader = createDocumentReader(memoryFileSystem({}), '/');
    expect(loadGateway(await reader.readNamed('gateway.json', 1))).to.deep.equal({
      ok: false,
      code: 'config_unavailable',
      why: {
        cause: 'missing',
        pointer: null,
        detail: null,
        sentence:
          'the gateway file does not exist; give the path of a gateway file, for example: svc gateway gateway.json',
      },
    });
  });
});
