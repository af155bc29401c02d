import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../../contract/provider-protocol/credentials.ts';
import type {
  AcquisitionAnswer,
  AcquisitionRefusal,
  ProviderSession,
} from '../../../contract/provider-protocol/session.ts';
import type { CallAnswer, ServedCall } from '../../../contract/provider-protocol/call.ts';
import { serverAdapter } from '../../mcp/adapter.ts';
import type { ServerDeclaration, StdioDeclaration } from '../../mcp/declaration.ts';
import { serverThreads, type ServerThreads } from '../../mcp/services.ts';
import { SYSTEM_NETWORK } from '../../../contract/provider-protocol/network.ts';

const SERVER = join(import.meta.dirname, '../../../conformance/servers/mcp-stdio/main.ts');
const TERMS = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const DISCOVER = {
  method: 'server/discover',
  action: {
    split: 1,
    result: {
      ...TERMS,
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      serverInfo: { name: 'test', version: '1' },
    },
  },
};
const FIRST_PAGE = {
  method: 'tools/list',
  action: { result: { ...TERMS, tools: [{ name: 'other', inputSchema: 1 }], nextCursor: 'more' } },
};
const SECOND_PAGE = {
  method: 'tools/list',
  cursor: 'more',
  action: {
    result: { ...TERMS, tools: [{ name: 'lookUp', description: 'Looks up.', inputSchema: { type: 'object' } }] },
  },
};
const called = (action: object, times?: number): object => ({
  method: 'tools/call',
  name: 'lookUp',
  ...(times === undefined ? {} : { times }),
  action,
});
const textOf = (text: string): object => ({ resultType: 'complete', content: [{ type: 'text', text }] });
const IDENTITY = `sha256:${'0'.repeat(64)}`;

const LOOK_UP = {
  upstream: 'lookUp',
  as: 'look-up',
  effect: 'read',
  description: null,
  errorFeedback: 'closed',
  isModelVisible: true,
  inspectionCapture: 'full',
  isInline: false,
} as const;

describe('a server of tools over standard streams (providers.md §7)', () => {
  let folder = '';
  let threads: ServerThreads;
  before(() => {
    threads = serverThreads();
  });
  after(async () => threads.close());
  let session: ProviderSession | null = null;
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-mcp-')));
  });
  after(async () => rm(folder, { recursive: true }));
  beforeEach(async () => writeFile(join(folder, 'log'), ''));
  afterEach(async () => {
    const open = session;
    session = null;
    await open?.close();
  });

  async function acquire(
    script: object,
    changes: Partial<ServerDeclaration> = {},
    transport: Partial<StdioDeclaration> = {},
  ): Promise<AcquisitionAnswer> {
    const file = join(folder, 'script.json');
    await writeFile(file, JSON.stringify(script));
    const declaration: ServerDeclaration = {
      transport: {
        type: 'stdio',
        command: process.execPath,
        args: [SERVER, '--script', file, '--log', join(folder, 'log')],
        directory: folder,
        inherited: { TERM: 'dumb' },
        bindings: new Map([['TOKEN', 'key']]),
        launcher: null,
        graceMs: 50,
        startTimeoutMs: 60_000,
        stderrBytes: 4,
        programs: null,
        ...transport,
      },
      revisions: 'auto',
      tools: { rows: [LOOK_UP], rest: null },
      snapshotIdentity: null,
      maxCatalogTools: 128,
      isImported: false,
      timeoutMs: 60_000,
      maxResultBytes: 10_000,
      ...changes,
    };
    const answer = await serverAdapter(threads, { name: 'svc', version: '1' }).acquire(
      {
        alias: 'desk',
        declaration,
        traceId: 'run',
        limits: { argumentBytes: 1000, resultBytes: 10_000, heapWords: 5_000_000, evaluationTimeoutMs: 60_000 },
      },
      {
        credentials: new Map([['key', new Secret('s3cret')]]),
        network: SYSTEM_NETWORK,
        dependencies: [],
        signal: new AbortController().signal,
      },
    );
    if (answer.ok) ({ session } = answer);
    return answer;
  }
  async function opened(...steps: readonly object[]): Promise<ProviderSession> {
    const answer = await acquire({ steps: [DISCOVER, FIRST_PAGE, SECOND_PAGE, ...steps] });
    if (!answer.ok) throw new Error(answer.refusal.code);
    return answer.session;
  }
  const serve = (of: ProviderSession, gate = true): ServedCall =>
    of.serve(
      {
        capabilityId: 'c',
        name: 'look-up',
        arguments: '{"a":[1.0,2]}',
        deadlineMs: 59_999.5,
        resultBytes: 10_000,
        model: null,
        keepsExchanges: true,
      },
      { openGate: () => Promise.resolve(gate) },
    );
  const call = (of: ProviderSession): Promise<CallAnswer> => serve(of).answer;
  const refusalOf = async (step: object): Promise<AcquisitionRefusal> => {
    const answer = await acquire({ steps: [step] });
    if (answer.ok) throw new Error('it was opened');
    return answer.refusal;
  };
  const digest = (text: string, bytes: number): string =>
    createHash('sha256')
      .update(text)
      .digest('hex')
      .slice(0, 2 * bytes);
  const logged = async (): Promise<readonly string[]> =>
    (await readFile(join(folder, 'log'), 'utf8')).split('\n').filter((line) => line !== '');
  const failure = async (of: Promise<CallAnswer>): Promise<unknown> => {
    const { outcome } = await of;
    return outcome.kind === 'error' ? [outcome.reason, outcome.details, outcome.proof] : outcome;
  };

  it('is discovered, listed and called', async () => {
    const { capabilities, snapshot, ...open } = await opened(
      called({
        stderr: 'warning',
        lines: ['{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{{id}},"progress":1}}'],
        split: 3,
        result: textOf('found'),
      }),
    );
    expect(capabilities).to.deep.equal([
      {
        name: 'look-up',
        description: 'Looks up.',
        effect: 'read',
        isModelVisible: true,
        inputSchema: '{"type":"object"}',
        outputSchema: null,
        timeoutMs: 60_000,
        argumentBytes: 1000,
        resultBytes: 10_000,
        inspectionCapture: 'full',
      },
    ]);
    expect(JSON.parse(snapshot.acquisition)).to.include({
      source: 'mcp',
      protocol: 'mcp-2026-07-28',
      transport: 'stdio',
      launcher_digest: null,
    });
    expect(snapshot.acquisition).not.to.include('lookUp').and.not.to.include(folder);
    const { outcome, exchanges } = await call({ capabilities, snapshot, ...open });
    expect(outcome).to.deep.equal({ kind: 'value', value: '{"text":["found"]}', usage: null, finish: null });
    const lines = await logged();
    expect(
      lines
        .map((line) => JSON.parse(line))
        .map(({ id, method, params }) => [id, method, params.cursor ?? params.name ?? null]),
    ).to.deep.equal([
      [1, 'server/discover', null],
      [2, 'tools/list', null],
      [3, 'tools/list', 'more'],
      [4, 'tools/call', 'lookUp'],
    ]);
    expect(lines.map((line) => /"progressToken":([0-9]+)/.exec(line)?.[1])).to.deep.equal(['1', '2', '3', '4']);
    expect(lines[3])
      .to.include('"arguments":{"a":[1.0,2]}')
      .and.to.include(`"traceparent":"00-${digest('run', 16)}-${digest('c', 8)}-01"`);
    expect(exchanges.map(({ transport, requestId, request }) => ({ transport, requestId, request }))).to.deep.equal([
      { transport: 'stdio', requestId: 4, request: lines[3] },
    ]);
  });

  const REST = {
    effect: 'annotations',
    errorFeedback: 'closed',
    inspectionCapture: 'full',
    isInline: false,
    allowed: null,
    visible: [],
    rows: new Map(),
    imported: null,
  } as const;
  const listing = (...tools: readonly object[]): object => ({
    steps: [
      DISCOVER,
      {
        method: 'tools/list',
        action: { result: { ...TERMS, tools: tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })) } },
      },
    ],
  });

  it('is mapped whole where its host document says so, by what it says of its tools (world.md §2.3)', async () => {
    const script = listing(
      { name: 'getUser', annotations: { readOnlyHint: true } },
      { name: 'putUser', annotations: { readOnlyHint: false } },
      { name: 'drop_user', annotations: [true] },
    );
    const answer = await acquire(script, { tools: { rows: [], rest: REST } });
    const offered = answer.ok ? answer.session.capabilities : [];
    expect(offered.map(({ name, effect }) => [name, effect])).to.deep.equal([
      ['drop-user', 'write'],
      ['get-user', 'read'],
      ['put-user', 'write'],
    ]);
  });

  it('is refused where two of its tools would have one name, and the refusal names both (world.md §2.3)', async () => {
    const answer = await acquire(listing({ name: 'getUser' }, { name: 'get_user' }), {
      tools: { rows: [], rest: REST },
    });
    expect(answer).to.deep.equal({
      ok: false,
      refusal: {
        code: 'provider_protocol_error',
        tool: null,
        hasActivity: true,
        words: {
          said: 'the tools "getUser" and "get_user" would both be called get-user: give one of them a row of its own with another "as"',
        },
      },
    });
  });

  it('has its folder, what it inherits and its credentials', async () => {
    const { outcome } = await call(await opened(called({ dump: true })));
    const input = JSON.parse(
      JSON.parse(outcome.kind === 'value' && typeof outcome.value === 'string' ? outcome.value : '').text[0],
    );
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    expect(input).to.deep.equal({
      cwd: folder,
      arguments: { a: [1, 2] },
      environment: { TERM: hash('dumb'), TOKEN: hash('s3cret'), LC_ALL: hash('C.UTF-8') },
    });
  });

  it('is told of a call that is cancelled, and works on', async () => {
    const open = await opened(
      called({ waitsForCancel: true, result: textOf('late') }, 1),
      called({ result: textOf('next') }),
    );
    const served = serve(open);
    while ((await logged()).length < 4)
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    served.cancel();
    expect(await failure(served.answer)).to.deep.equal(['transport_error', 'mcp_transport_error', null]);
    expect((await call(open)).outcome).to.have.property('value', '{"text":["next"]}');
    expect((await logged())[4])
      .to.include('"method":"notifications/cancelled"')
      .and.to.include('"requestId":4');
  });

  it('hears nothing of a call whose gate stays shut', async () => {
    const open = await opened(called({ result: textOf('found') }));
    expect(await failure(serve(open, false).answer)).to.deep.equal([
      'transport_error',
      'mcp_transport_error',
      'not_dispatched',
    ]);
    expect(await logged()).to.have.length(3);
  });

  const failures: Readonly<Record<string, readonly [object, readonly [string, string, string | null]]>> = {
    'an error': [{ error: { code: 1, message: 'secret' } }, ['domain_error', 'mcp_remote_error', 'complete_answer']],
    'a failure of the tool': [
      { result: { ...textOf('secret'), isError: true } },
      ['domain_error', 'mcp_domain_error', 'complete_answer'],
    ],
    'a demand of input': [
      { result: { resultType: 'input_required', requestState: 's' } },
      ['denied', 'mcp_input_required_refused', 'complete_answer'],
    ],
    'another content': [
      { result: { resultType: 'complete', content: [{ type: 'image' }] } },
      ['invalid_result', 'mcp_invalid_result', 'complete_answer'],
    ],
    'too long a value': [{ result: textOf('x'.repeat(10_000)) }, ['invalid_result', 'mcp_response_exceeded', null]],
    'too long a line': [{ result: textOf('x'.repeat(2_097_152)) }, ['invalid_result', 'mcp_response_exceeded', null]],
    'no JSON': [
      { lines: ['{"jsonrpc":"2.0","id":{{id}},"result":nope}'] },
      ['invalid_result', 'mcp_protocol_error', null],
    ],
    'more levels than any answer has': [
      { lines: [`{"jsonrpc":"2.0","id":{{id}},"result":{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}}`] },
      ['invalid_result', 'mcp_protocol_error', null],
    ],
    garbage: [{ lines: ['Segmentation fault'] }, ['invalid_result', 'mcp_protocol_error', null]],
    'its end': [{ exit: 1 }, ['transport_error', 'mcp_transport_error', null]],
  };
  for (const [what, [action, expected]] of Object.entries(failures)) {
    it(`answers a call with ${what}`, async () => {
      expect(await failure(call(await opened(called(action))))).to.deep.equal(expected);
    });
  }

  it('that has ended is sent nothing more', async () => {
    const open = await opened(called({ exit: 1 }));
    await call(open);
    expect(await failure(call(open))).to.deep.equal(['transport_error', 'mcp_transport_error', 'not_dispatched']);
  });

  const identity = { tool: { ...LOOK_UP, upstream: 'version', as: 'version' }, field: 'content' };
  const identified = (content: unknown): readonly object[] => [
    DISCOVER,
    {
      method: 'tools/list',
      action: {
        result: {
          ...TERMS,
          tools: ['lookUp', 'version'].map((name) => ({
            name,
            inputSchema: { type: 'object' },
            outputSchema: { type: 'object' },
          })),
        },
      },
    },
    {
      method: 'tools/call',
      name: 'version',
      action: { result: { resultType: 'complete', content: [], structuredContent: { content } } },
    },
  ];
  it('says which content it serves, where it is asked', async () => {
    const answer = await acquire({ steps: identified(IDENTITY) }, { snapshotIdentity: identity });
    expect(answer.ok ? answer.session.snapshot.contentHash : answer.refusal).to.equal(IDENTITY);
  });

  const refused: Readonly<
    Record<string, readonly [object, string, Partial<ServerDeclaration>?, (string | null)?, Partial<StdioDeclaration>?]>
  > = {
    'whose version is another': [
      { steps: [{ method: 'server/discover', action: { error: { code: -32601, message: 'no' } } }] },
      'provider_protocol_version_unsupported',
    ],
    'that ends at once': [{ steps: [{ method: 'server/discover', action: { exit: 0 } }] }, 'provider_unavailable'],
    'that says nothing': [
      { steps: [{ method: 'server/discover', action: {} }], ignoresEof: true, ignoresSigterm: true, grandchild: true },
      'provider_acquisition_timeout',
      { timeoutMs: 1000 },
    ],
    'that says what is no message': [
      { steps: [{ method: 'server/discover', action: { lines: ['Ready!'] } }] },
      'provider_protocol_error',
    ],
    'whose pages go round': [
      { steps: [DISCOVER, FIRST_PAGE, { ...FIRST_PAGE, cursor: 'more' }] },
      'provider_protocol_error',
    ],
    'without the tool': [
      { steps: [DISCOVER, { ...FIRST_PAGE, action: { result: { ...TERMS, tools: [] } } }] },
      'provider_tool_missing',
      {},
      'lookUp',
    ],
    'whose content has no identity': [
      { steps: identified('sha256:1') },
      'provider_protocol_error',
      { snapshotIdentity: identity },
    ],
    'whose program changed': [
      { steps: [] },
      'provider_policy_changed',
      {},
      null,
      { programs: { command: { path: process.execPath, digest: '', identity: 'other' }, launcher: null } },
    ],
  };
  const said: Readonly<Record<string, string>> = {
    'that ends at once': 'it exited with status 0 before it answered',
    'that says nothing': 'no answer within 1000 ms (timeout_ms)',
    'that says what is no message': 'what it wrote is no message of the protocol',
  };
  for (const [what, [script, code, changes, tool = null, transport]] of Object.entries(refused)) {
    it(`is refused ${what}`, async () => {
      const answer = await acquire(script, changes, transport);
      const { words, ...refusal } = answer.ok ? { words: undefined } : answer.refusal;
      expect(refusal).to.deep.equal({ code, tool, hasActivity: true });
      expect(words?.said).to.equal(said[what]);
    });
  }

  for (const [bytes, stored] of [
    [2047, 2047],
    [2048, 2048],
    [2049, 2048],
  ] as const)
    it(`leaves ${stored} bytes of the ${bytes} of its stderr when it does not start (world.md §2.4)`, async () => {
      const text = `${'a'.repeat(bytes - 1)}z`;
      const { words } = await refusalOf({
        method: 'server/discover',
        action: { stderr: text, exit: 3 },
      });
      expect(words).to.deep.equal({
        said: 'it exited with status 3 before it answered',
        stderr: { text: text.slice(-stored), isTruncated: bytes > stored },
      });
    });

  it('leaves its last words to the call over which it died (world.md §2.4)', async () => {
    const { words } = await call(await opened(called({ stderr: 'out of luck', exit: 4 })));
    expect(words).to.deep.equal({
      said: 'it exited with status 4 before it answered',
      stderr: { text: 'out of luck', isTruncated: false },
    });
  });

  it('is ended with everything that it started', async () => {
    const answer = await acquire({
      steps: [DISCOVER, FIRST_PAGE, SECOND_PAGE],
      ignoresEof: true,
      ignoresSigterm: true,
      grandchild: true,
    });
    const open = answer.ok ? answer.session : null;
    session = null;
    await open?.close();
    expect(open).not.to.equal(null);
  });
});
