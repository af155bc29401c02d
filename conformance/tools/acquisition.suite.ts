import { expect } from 'chai';
import type { StdioAction, Script, StdioStep } from '../servers/mcp-stdio/script.ts';
import {
  DISCOVERED,
  LOOK_UP,
  TERMS,
  call,
  discover,
  listing,
  runTools,
  textResult,
  type ToolApplication,
} from './room.ts';

type Members = Readonly<Record<string, unknown>>;

const SUBJECT = { name: 'desk', occurrence: { destination: 'mission', index: 0 }, kind: 'provider' };
const usable = (...steps: readonly StdioStep[]): Script => ({ steps: [discover(), ...steps] });
const page = (cursor: string | null, tools: readonly unknown[], more: Members = {}): StdioStep => ({
  method: 'tools/list',
  ...(cursor === null ? {} : { cursor }),
  action: { result: { ...TERMS, tools, ...more } },
});
const tools = (count: number): readonly unknown[] => [
  LOOK_UP,
  ...Array.from({ length: count - 1 }, (_, at) => ({ name: `tool-${at}`, inputSchema: 1 })),
];
/** Pages 1 to `count`, of which the last has the tool. */
const pages = (count: number): readonly StdioStep[] =>
  Array.from({ length: count }, (_, at) =>
    page(
      at === 0 ? null : `p${at}`,
      at === count - 1 ? [LOOK_UP] : [],
      at === count - 1 ? {} : { nextCursor: `p${at + 1}` },
    ),
  );
const discovery = (changes: Members): Script => ({
  steps: [discover({ result: { ...DISCOVERED, ...changes } }), listing(LOOK_UP)],
});
const refusedWith = (code: number): Script => ({ steps: [discover({ error: { code, message: 'planted-words' } })] });
const tool = (changes: Members): Script => usable(listing({ ...LOOK_UP, ...changes }));
const answering = (action: StdioAction): Script => ({ steps: [discover(action)] });
const IDENTITY = { snapshot_identity: { tool: 'version', field: 'content' } };
const WITH_VERSION = { lookUp: { as: 'look-up', effect: 'read' }, version: { as: 'version', effect: 'read' } };
const VERSION = { name: 'version', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } };
const identified = (action: StdioAction): Partial<ToolApplication> & { readonly script: Script } => ({
  script: usable(listing(LOOK_UP, VERSION), call(action, 'version'), call({ result: textResult('a') })),
  tools: WITH_VERSION,
  installation: IDENTITY,
});
/** More than the reader of an answer has memory for. */
const TOO_MUCH = { _meta: { a: Array.from({ length: 600_000 }, () => []) } };
const contentOf = (content: unknown): StdioAction => ({
  result: { resultType: 'complete', content: [], structuredContent: { content } },
});

/** providers.md §3, table B, and §7.3: code, and whether trying again may help. */
const REFUSED: Readonly<
  Record<string, readonly [application: Script | ToolApplication, code: string, retryable?: boolean]>
> = {
  'that ends at once': [answering({ exit: 0 }), 'provider_unavailable'],
  'that refuses discovery': [refusedWith(-32_603), 'provider_unavailable'],
  'that refuses its list': [
    { steps: [discover(), { method: 'tools/list', action: { error: { code: 1, message: 'planted-words' } } }] },
    'provider_unavailable',
  ],
  'that does not know discovery': [refusedWith(-32_601), 'provider_protocol_version_unsupported'],
  'that does not take its parameters': [refusedWith(-32_602), 'provider_protocol_version_unsupported'],
  'that refuses the version': [refusedWith(-32_022), 'provider_protocol_version_unsupported'],
  'of another version': [
    discovery({ supportedVersions: ['2025-11-25', '2026-07-27'] }),
    'provider_protocol_version_unsupported',
  ],
  'that says nothing': [
    { script: answering({}), installation: { ceilings: { timeout_ms: 1500 } } },
    'provider_acquisition_timeout',
    true,
  ],
  'that never lists': [
    { script: usable({ method: 'tools/list', action: {} }), installation: { ceilings: { timeout_ms: 1500 } } },
    'provider_acquisition_timeout',
    true,
  ],
  'without a type of result': [discovery({ resultType: undefined }), 'provider_protocol_error'],
  'of another type of result': [discovery({ resultType: 'task' }), 'provider_protocol_error'],
  'whose discovery has no time to live': [discovery({ ttlMs: undefined }), 'provider_protocol_error'],
  'whose time to live is negative': [discovery({ ttlMs: -1 }), 'provider_protocol_error'],
  'whose scope is unknown': [discovery({ cacheScope: 'planet' }), 'provider_protocol_error'],
  'without versions': [discovery({ supportedVersions: undefined }), 'provider_protocol_error'],
  'of no version': [discovery({ supportedVersions: [] }), 'provider_protocol_error'],
  'of 33 versions': [
    discovery({ supportedVersions: ['2026-07-28', ...Array.from({ length: 32 }, (_, at) => `v${at}`)] }),
    'provider_protocol_error',
  ],
  'of a version of 65 bytes': [
    discovery({ supportedVersions: ['2026-07-28', 'v'.repeat(65)] }),
    'provider_protocol_error',
  ],
  'that offers no tools': [discovery({ capabilities: {} }), 'provider_protocol_error'],
  'whose name is too long': [
    discovery({ serverInfo: { name: 'n'.repeat(257), version: '1' } }),
    'provider_protocol_error',
  ],
  'that talks before it is asked': [
    { steps: [discover({ lines: ['Ready!'], result: DISCOVERED })] },
    'provider_protocol_error',
  ],
  'whose error has too much': [answering({ error: { code: 1, message: 'm'.repeat(4097) } }), 'provider_protocol_error'],
  'whose cursor returns': [
    usable(page(null, [], { nextCursor: 'a' }), page('a', [LOOK_UP], { nextCursor: 'a' })),
    'provider_protocol_error',
  ],
  'of 17 pages': [usable(...pages(17)), 'provider_protocol_error'],
  'whose cursor is too long': [
    usable(page(null, [LOOK_UP], { nextCursor: 'c'.repeat(1025) })),
    'provider_protocol_error',
  ],
  'whose pages have two scopes': [
    usable(page(null, [LOOK_UP], { nextCursor: 'a' }), page('a', [], { cacheScope: 'public' })),
    'provider_protocol_error',
  ],
  'with a name twice': [usable(listing(LOOK_UP, LOOK_UP)), 'provider_protocol_error'],
  'with a name that has a space': [
    usable(listing(LOOK_UP, { name: 'a b', inputSchema: {} })),
    'provider_protocol_error',
  ],
  'with 129 tools': [usable(listing(...tools(129))), 'provider_protocol_error'],
  'with more tools than the installation allows': [
    { script: usable(listing(...tools(3))), installation: { ceilings: { max_catalog_tools: 2, timeout_ms: 60_000 } } },
    'provider_protocol_error',
  ],
  'whose catalogue is too large': [
    usable(listing(LOOK_UP, { name: 'other', description: 'x'.repeat(1_048_576), inputSchema: {} })),
    'provider_protocol_error',
  ],
  'whose description is too long': [tool({ description: 'd'.repeat(4097) }), 'provider_protocol_error'],
  'whose tool has no schema': [tool({ inputSchema: undefined }), 'provider_protocol_error'],
  'whose schema is none': [tool({ inputSchema: { type: 'object', properties: { a: 7 } } }), 'provider_protocol_error'],
  'whose arguments are no object': [tool({ inputSchema: { type: 'array' } }), 'provider_protocol_error'],
  'whose output schema is none': [tool({ outputSchema: 'any' }), 'provider_protocol_error'],
  'whose annotations of headers collide': [
    tool({
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
      },
    }),
    'provider_protocol_error',
  ],
  'without the tool': [usable(listing({ ...LOOK_UP, name: 'other' })), 'provider_tool_missing'],
  'whose content has no identity': [identified(contentOf('sha256:1')), 'provider_protocol_error'],
  'whose identity is refused': [
    identified({ error: { code: 1, message: 'planted-words' } }),
    'provider_protocol_error',
  ],
  'whose discovery is too much for its reader': [discovery(TOO_MUCH), 'provider_unavailable'],
  'whose list is too much for its reader': [usable(page(null, [LOOK_UP], TOO_MUCH)), 'provider_unavailable'],
  'whose identity is too much for its reader': [
    identified({ result: { resultType: 'complete', content: [], ...TOO_MUCH } }),
    'provider_unavailable',
  ],
  'that ends instead of telling its identity': [identified({ exit: 0 }), 'provider_unavailable'],
  'that does not answer for its identity': [
    { ...identified({}), installation: { ...IDENTITY, ceilings: { timeout_ms: 1500 } } },
    'provider_acquisition_timeout',
    true,
  ],
};

const MESSAGES: Readonly<Record<string, string>> = {
  provider_tool_missing: 'the installed endpoint does not expose declared tool "lookUp"',
  provider_unavailable: 'the selected provider could not be acquired',
  provider_protocol_error: 'the selected provider returned an invalid acquisition response',
  provider_protocol_version_unsupported: 'the installed endpoint does not support MCP protocol 2026-07-28',
};

describe('a server of tools that cannot be opened (providers.md §3 table B, §7.3, §7.6)', () => {
  for (const [what, [input, code, retryable = false]] of Object.entries(REFUSED)) {
    it(`${what}: ${code}`, async () => {
      await runTools('steps' in input ? { script: input } : input, (report) => {
        expect(report.status).to.equal(4);
        expect(report.envelope['error']).to.deep.include({
          phase: 'provider_acquisition',
          code,
          path: null,
          source: null,
          span: null,
          notes: [],
          retryable,
          provider_activity: true,
          subject: { ...SUBJECT, operation: 'acquisition' },
        });
        const message = MESSAGES[code];
        if (message !== undefined) expect(report.envelope['error']).to.have.property('message', message);
        expect(JSON.stringify(report.envelope) + report.stderr).not.to.include('planted-words');
      });
    });
  }

  for (const order of [
    ['desk', 'other'],
    ['other', 'desk'],
  ]) {
    it(`takes with it what was opened beside it: ${order.join(', ')}`, async () => {
      const broken = {
        source: 'mcp',
        installation_revision: 'r1',
        transport: { type: 'stdio', command: '/bin/false' },
        tools: { x: { as: 'x', effect: 'read' } },
      };
      const manifest = {
        missions: { desk: { providers: order } },
        providers: { mission: order.map((name) => ({ name })) },
      };
      await runTools({ script: usable(listing(LOOK_UP)), manifest, others: { other: broken } }, (report) => {
        const occurrence = { destination: 'mission', index: order.indexOf('other') };
        expect(report.envelope['error']).to.deep.include({
          code: 'provider_unavailable',
          subject: { name: 'other', occurrence, operation: 'acquisition', kind: 'provider' },
          provider_activity: true,
        });
        expect(report.envelope['secondary_errors']).to.deep.equal([]);
      });
    });
  }
});

describe('a server of tools that is opened (providers.md §2, §7)', () => {
  const sound: Readonly<Record<string, ToolApplication>> = {
    'of 16 pages': { script: usable(...pages(16), call({ result: textResult('a') })) },
    'of 128 tools': { script: usable(listing(...tools(128)), call({ result: textResult('a') })) },
    'of 32 versions': {
      script: {
        steps: [
          discover({
            result: {
              ...DISCOVERED,
              supportedVersions: ['2026-07-28', ...Array.from({ length: 31 }, (_, at) => `v${at}`)],
            },
          }),
          listing(LOOK_UP),
          call({ result: textResult('a') }),
        ],
      },
    },
    'whose other tools nobody can use': {
      script: usable(
        listing({ name: 'other', description: 7, inputSchema: 'none' }, LOOK_UP),
        call({ result: textResult('a') }),
      ),
    },
    'whose schema has keywords that are not enforced': {
      script: usable(
        listing({
          ...LOOK_UP,
          inputSchema: {
            $schema: 'http://json-schema.org/draft-07/schema#',
            type: 'object',
            properties: { city: { $ref: 'https://example.org/city' } },
            'x-own': 1,
          },
        }),
        call({ result: textResult('a') }),
      ),
    },
    'that names itself nowhere': {
      script: {
        steps: [
          discover({ result: { ...DISCOVERED, serverInfo: undefined } }),
          listing(LOOK_UP),
          call({ result: textResult('a') }),
        ],
      },
    },
  };
  for (const [what, application] of Object.entries(sound)) {
    it(`${what} serves its calls`, async () => {
      await runTools(application, (report) => {
        expect(report.value).to.deep.equal({ status: 'ok', value: { text: ['a'] } });
      });
    });
  }

  const described: Readonly<
    Record<string, readonly [mapping: Members, config: Members | undefined, listed: readonly unknown[]]>
  > = {
    'in the words of the server': [{ model_visible: true }, undefined, ['Looks up.']],
    'in the words of the operator, where there are some': [
      { model_visible: true, description: 'Finds a place.' },
      undefined,
      ['Finds a place.'],
    ],
    'to nobody unless the operator or the manifest wants it': [{}, undefined, []],
    'where the manifest wants it': [{}, { model_visible: ['look-up'] }, ['Looks up.']],
    'to nobody where the manifest does not': [{ model_visible: true }, { model_visible: [] }, []],
  };
  for (const [what, [mapping, config, listed]] of Object.entries(described)) {
    it(`is described ${what}; visible or not, it can be called`, async () => {
      const program =
        '[(mapv (fn [tool] (get tool "description" (get tool :description))) (tool/cap-list {})) (get (tool/look-up {:city "a"}) :status)]';
      await runTools(
        {
          script: usable(listing(LOOK_UP), call({ result: textResult('a') })),
          tools: { lookUp: { as: 'look-up', effect: 'read', ...mapping } },
          program,
          ...(config === undefined ? {} : { config }),
        },
        ({ value }) => {
          expect(value).to.deep.equal([listed, 'ok']);
        },
      );
    });
  }

  it('tells its snapshot by digests, and its content by the identity that it is asked for', async () => {
    const identity = `sha256:${'0'.repeat(64)}`;
    await runTools(
      { ...identified(contentOf(identity)), argv: ['run', 'svc.json', '--trace-dir', '.'] },
      (report, room) => {
        expect(report.value).to.deep.include({ status: 'ok' });
        const events = room
          .text(`${String(report.envelope['run_ref'])}.jsonl`)
          .split('\n')
          .filter((line) => line !== '')
          .map((line): Members => JSON.parse(line));
        const started = JSON.stringify(events.find((event) => JSON.stringify(event).includes('run-started')));
        expect(started)
          .to.include(identity)
          .and.to.include('"protocol":"mcp-2026-07-28"')
          .and.to.include('"transport":"stdio"')
          .and.to.include('"executable_digest":"sha256:');
        for (const hidden of ['lookUp', room.directory, process.execPath, 'Looks up.'])
          expect(started, hidden).not.to.include(hidden);
        expect(room.methods()).to.deep.equal(['server/discover', 'tools/list', 'tools/call', 'tools/call']);
      },
    );
  });
});
