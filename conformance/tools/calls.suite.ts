import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { StdioAction, StdioStep } from '../servers/mcp-stdio/script.ts';
import {
  CALL,
  LOOK_UP,
  TOOL_SECRET,
  SERVER,
  call,
  discover,
  listing,
  runTools,
  textResult,
  type ToolApplication,
  type ToolReport,
} from './room.ts';

type Members = Readonly<Record<string, unknown>>;

/** An application of one tool; `action` is what its server does with a call. */
function application(
  action: StdioAction,
  {
    tool = {},
    mapping = {},
    ...more
  }: Partial<ToolApplication> & { readonly tool?: Members; readonly mapping?: Members } = {},
): ToolApplication {
  return {
    script: { steps: [discover(), listing({ ...LOOK_UP, ...tool }), call(action)] },
    tools: { lookUp: { as: 'look-up', effect: 'read', ...mapping } },
    config: { allow: ['look-up'] },
    ...more,
  };
}

const failed = (reason: string, details: string | null, more: Members = {}): Members => ({
  status: 'error',
  kind: 'provider_error',
  reason,
  'retryable?': false,
  ...(details === null ? {} : { details }),
  ...more,
});
const block = (content: Members): StdioAction => ({ result: { resultType: 'complete', content: [content] } });
const usageOf = ({ envelope }: ToolReport): Members => Object(Object(envelope['execution'])['usage']);

/** providers.md §7.5: what the server does, reason and details, and whether a write is in doubt behind it. */
const TABLE: readonly (readonly [
  what: string,
  action: StdioAction,
  reason: string,
  details: string,
  isInDoubt: boolean,
])[] = [
  [
    'a failure of the tool',
    { result: { ...textResult('planted-words'), isError: true } },
    'domain_error',
    'mcp_domain_error',
    false,
  ],
  [
    'an error of JSON-RPC',
    { error: { code: -32_602, message: 'planted-words' } },
    'domain_error',
    'mcp_remote_error',
    false,
  ],
  [
    'an unknown type of result',
    { result: { resultType: 'task', taskId: 'planted-words' } },
    'invalid_result',
    'mcp_unsupported_result',
    false,
  ],
  [
    'a demand of input',
    {
      result: {
        resultType: 'input_required',
        inputRequests: {
          a: {
            method: 'elicitation/create',
            params: { mode: 'form', message: 'planted-words', requestedSchema: { type: 'object', properties: {} } },
          },
        },
      },
    },
    'invalid_result',
    'mcp_capability_negotiation_error',
    false,
  ],
  [
    'a demand of state alone',
    { result: { resultType: 'input_required', requestState: 'planted-words' } },
    'denied',
    'mcp_input_required_refused',
    false,
  ],
  [
    'a malformed demand of input',
    { result: { resultType: 'input_required' } },
    'invalid_result',
    'mcp_protocol_error',
    true,
  ],
  ['a result without a type', { result: { content: [] } }, 'invalid_result', 'mcp_protocol_error', true],
  [
    'neither result nor error',
    { lines: ['{"jsonrpc":"2.0","id":{{id}}}'] },
    'invalid_result',
    'mcp_protocol_error',
    true,
  ],
  [
    'both',
    { lines: ['{"jsonrpc":"2.0","id":{{id}},"result":{},"error":{"code":1,"message":"m"}}'] },
    'invalid_result',
    'mcp_protocol_error',
    true,
  ],
  [
    'another protocol',
    { lines: ['{"jsonrpc":"1.0","id":{{id}},"result":{}}'] },
    'invalid_result',
    'mcp_protocol_error',
    true,
  ],
  ['another id', { lines: ['{"jsonrpc":"2.0","id":77,"result":{}}'] }, 'invalid_result', 'mcp_protocol_error', true],
  [
    'a request of its own',
    { lines: ['{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}'] },
    'invalid_result',
    'mcp_protocol_error',
    true,
  ],
  ['what is no message', { lines: ['planted-words'] }, 'invalid_result', 'mcp_protocol_error', true],
  [
    'a member twice',
    { lines: ['{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"complete","content":[],"content":[]}}'] },
    'invalid_result',
    'mcp_protocol_error',
    true,
  ],
  [
    '52 levels',
    {
      lines: [
        `{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"complete","content":[],"_meta":{"a":${'['.repeat(49)}${']'.repeat(49)}}}}`,
      ],
    },
    'invalid_result',
    'mcp_protocol_error',
    true,
  ],
  ['an unknown block', block({ type: 'hologram' }), 'invalid_result', 'mcp_invalid_result', false],
  [
    'a failure that is an image',
    {
      result: {
        resultType: 'complete',
        content: [{ type: 'image', data: '', mimeType: 'image/png' }],
        isError: true,
      },
    },
    'domain_error',
    'mcp_domain_error',
    false,
  ],
  [
    'a priority beyond 1',
    block({ type: 'text', text: 'a', annotations: { priority: 2 } }),
    'invalid_result',
    'mcp_invalid_result',
    false,
  ],
  ['its end', { exit: 1 }, 'transport_error', 'mcp_transport_error', true],
  [
    'its end in the middle of an answer',
    { lines: ['{"jsonrpc":"2.0","id":{{id}},"resu'], exit: 0 },
    'invalid_result',
    'mcp_protocol_error',
    true,
  ],
  [
    'a line that is too long',
    { result: textResult('x'.repeat(2_097_152)) },
    'invalid_result',
    'mcp_response_exceeded',
    true,
  ],
  [
    'too many notifications',
    {
      lines: Array.from(
        { length: 3 },
        () =>
          `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{{id}},"progress":1,"message":"${'x'.repeat(1_000_000)}"}}`,
      ),
      result: textResult('a'),
    },
    'invalid_result',
    'mcp_response_exceeded',
    true,
  ],
];

describe('what a call of a tool comes to (providers.md §7.5)', () => {
  for (const [what, action, reason, details, isInDoubt] of TABLE) {
    it(`${what}, of a tool that reads and of one that writes`, async () => {
      // A server of its own for each: what breaks a connection ends every call of it.
      const program = `[${CALL} (tool/change {:city "Oslo"})]`;
      await runTools(
        {
          ...application(action, { program }),
          twin: { tools: { lookUp: { as: 'change', effect: 'write' } }, config: { allow: ['change'] } },
        },
        (report, room) => {
          expect(report.value).to.deep.equal([
            failed(reason, details),
            failed(reason, details, isInDoubt ? { mutation_state: 'indeterminate' } : {}),
          ]);
          expect(
            room.methods().filter((method) => method === 'tools/call'),
            'one request for each call',
          ).to.have.length(2);
          expect(usageOf(report)).to.deep.include({
            capability_calls: { 'mission/look-up': 1, 'mission/change': 1 },
            capability_refusals: { [`mission/provider_error/${reason}`]: 2 },
          });
          expect(JSON.stringify(report.envelope) + report.stderr).not.to.include('planted-words');
        },
      );
    });
  }

  const values: Readonly<Record<string, readonly [StdioAction, unknown, Members?]>> = {
    'text, in several blocks': [
      {
        result: {
          resultType: 'complete',
          content: [
            { type: 'text', text: 'a', _meta: {}, annotations: { audience: ['user'], priority: 0.5 } },
            { type: 'text', text: 'b' },
          ],
        },
      },
      { text: ['a', 'b'] },
    ],
    nothing: [{ result: { resultType: 'complete', content: [] } }, { text: [] }],
    'a text resource': [
      block({ type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'b' } }),
      { text: [], resources: [{ uri: 'file:///a', mimeType: 'text/plain', text: 'b' }] },
    ],
    'structured content of its schema': [
      { result: { ...textResult('a'), structuredContent: { n: 1 } } },
      { n: 1 },
      { outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
    ],
    'an answer in pieces, behind progress': [
      {
        lines: ['{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{{id}},"progress":1}}'],
        split: 1,
        result: textResult('a'),
      },
      { text: ['a'] },
    ],
  };
  for (const [what, [action, value, tool]] of Object.entries(values)) {
    it(`${what} is its value`, async () => {
      await runTools(application(action, tool === undefined ? {} : { tool }), (report) => {
        expect(report.value).to.deep.equal({ status: 'ok', value });
        expect(usageOf(report)).to.deep.include({
          capability_calls: { 'mission/look-up': 1 },
          capability_refusals: {},
        });
      });
    });
  }

  for (const effect of ['read', 'write'] as const) {
    const doubt = effect === 'write' ? { mutation_state: 'indeterminate' } : {};
    it(`structured content that is not of its schema, of a tool that ${effect}s`, async () => {
      const tool = { outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } };
      await runTools(
        application(
          { result: { ...textResult('a'), structuredContent: { n: 'planted-words' } } },
          { tool, mapping: { effect } },
        ),
        (report) => {
          expect(report.value).to.deep.equal({
            status: 'error',
            kind: 'invalid_result',
            reason: 'output_schema_mismatch',
            'retryable?': false,
          });
        },
      );
    });

    it(`an answer that is too much for the memory of its reader, of a tool that ${effect}s: the server works on`, async () => {
      const steps: StdioStep[] = [
        discover(),
        listing(LOOK_UP),
        {
          ...call({ result: { ...textResult('a'), _meta: { a: Array.from({ length: 600_000 }, () => []) } } }),
          times: 1,
        },
        call({ result: textResult('next') }),
      ];
      await runTools(
        { ...application({}, { mapping: { effect } }), script: { steps }, program: `[${CALL} ${CALL}]` },
        (report) => {
          expect(report.value).to.deep.equal([
            {
              status: 'error',
              kind: 'provider_error',
              reason: 'provider_heap_exceeded',
              'retryable?': false,
              ...doubt,
            },
            { status: 'ok', value: { text: ['next'] } },
          ]);
        },
      );
    });

    it(`a call without an answer in its time, of a tool that ${effect}s: it is taken back, and the server works on`, async () => {
      const steps: StdioStep[] = [
        discover(),
        listing(LOOK_UP),
        { ...call({ waitsForCancel: true, result: textResult('late') }), times: 1 },
        call({ result: textResult('next') }),
      ];
      const program = `[${CALL} ${CALL}]`;
      await runTools(
        {
          ...application({}, { mapping: { effect } }),
          script: { steps },
          program,
          config: { allow: ['look-up'], timeout_ms: 8000 },
        },
        (report, room) => {
          expect(report.value).to.deep.equal([
            { status: 'error', kind: 'timeout', reason: 'provider_timeout', 'retryable?': effect === 'read', ...doubt },
            { status: 'ok', value: { text: ['next'] } },
          ]);
          expect(room.methods().slice(2)).to.have.members(['tools/call', 'notifications/cancelled', 'tools/call']);
        },
      );
    });

    it(`a call of a server that is gone, of a tool that ${effect}s: nothing was sent`, async () => {
      await runTools(
        application({ exit: 0 }, { mapping: { effect }, program: `[${CALL} ${CALL}]` }),
        (report, room) => {
          expect(report.value).to.deep.equal([
            failed('transport_error', 'mcp_transport_error', doubt),
            failed('transport_error', 'mcp_transport_error'),
          ]);
          expect(room.methods()).to.deep.equal(['server/discover', 'tools/list', 'tools/call']);
        },
      );
    });
  }

  it('a failure of the tool is told in its own words where the operator wants them, bounded and without controls', async () => {
    const content = ['one\u0007', 'x'.repeat(2000)].map((text) => ({ type: 'text', text }));
    await runTools(
      application(
        { result: { resultType: 'complete', content, isError: true } },
        { mapping: { error_feedback: 'bounded' } },
      ),
      (report) => {
        expect(report.value).to.deep.equal(failed('domain_error', `one\uFFFD\n${'x'.repeat(1024 - 7)}`));
      },
    );
  });

  const bytes = Buffer.byteLength(JSON.stringify({ text: [''] }));
  for (const [length, fits] of [
    [99, true],
    [100, true],
    [101, false],
  ] as const) {
    it(`a value of ${length} bytes where 100 may be`, async () => {
      await runTools(
        application(
          { result: textResult('x'.repeat(length - bytes)) },
          { config: { allow: ['look-up'], max_result_bytes: 100 } },
        ),
        (report) => {
          if (fits) expect(report.value).to.deep.include({ status: 'ok' });
          else expect(report.value).to.deep.equal(failed('invalid_result', 'mcp_response_exceeded'));
        },
      );
    });
  }

  const UNDECLARED = '(tool/look-up {:city "a" :planted_words 1})';
  const refused: readonly (readonly [what: string, program: string, rule: string])[] = [
    ['that are missing', '(tool/look-up {})', 'required'],
    ['of another type', '(tool/look-up {:city 7})', 'type'],
    ['beyond a bound', `(tool/look-up {:city "${'planted-words'.repeat(2)}"})`, 'maxLength'],
    ['that nobody declared', UNDECLARED, 'additionalProperties'],
  ];
  for (const [what, program, rule] of refused) {
    it(`arguments ${what} are refused before anything is sent`, async () => {
      await runTools(application({ result: textResult('a') }, { program }), (report, room) => {
        expect(report.value).to.deep.include({
          status: 'error',
          kind: 'protocol_error',
          reason: 'invalid_arguments',
          'retryable?': false,
        });
        expect(JSON.stringify(report.value))
          .to.include(`"rule":"${rule}"`)
          .and.not.to.match(/planted-words/);
        expect(room.methods()).to.deep.equal(['server/discover', 'tools/list']);
        expect(usageOf(report)).to.deep.include({ capability_calls: {}, protocol_errors: 1 });
      });
    });
  }

  it('arguments that nobody declared are named, with those that may be given (world.md §3.4)', async () => {
    await runTools(application({ result: textResult('a') }, { program: UNDECLARED }), ({ value }) => {
      expect(JSON.stringify(value)).to.include('"allowed":["city"]').and.include('"unknown":"planted_words"');
    });
  });

  it('arguments are sent as they were given, under the name of the server, with a trace of the run and no secret', async () => {
    const input = '(tool/look-up {:city "Köln" :nested {:a-b [1 2.5 nil true]}})';
    await runTools(
      application({ result: textResult('a') }, { program: input, tool: { inputSchema: { type: 'object' } } }),
      (report, room) => {
        expect(report.value).to.deep.include({ status: 'ok' });
        const [, , sent] = room.requests();
        const { params }: { readonly params?: Members } = sent ?? {};
        const meta: Members = Object(params?.['_meta']);
        expect(params).to.deep.include({
          name: 'lookUp',
          arguments: { city: 'Köln', nested: { a_b: [1, 2.5, null, true] } },
        });
        expect(meta).to.deep.include({
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          progressToken: 3,
        });
        const trace = createHash('sha256').update(String(report.envelope['run_ref'])).digest('hex').slice(0, 32);
        expect(meta['traceparent']).to.match(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
        expect(Object.keys(Object(meta['io.modelcontextprotocol/clientInfo']))).to.have.members(['name', 'version']);
      },
    );
  });

  it('keys are sent as the program wrote them: texts as they are, keywords by the schema of the tool (runtime.md §5)', async () => {
    const inputSchema = {
      type: 'object',
      properties: {
        perPage: { type: 'integer' },
        'sort-by': { type: 'string' },
        page_token: { type: 'string' },
        headers: { type: 'object' },
      },
    };
    const input =
      '(tool/look-up {:per-page 5 :sort-by "a" :page-token "t" :other-key 1 "as-it-is" 2 :headers {"X-Trace-Id" "a" :x-id "b"}})';
    await runTools(
      application({ result: textResult('a') }, { program: input, tool: { inputSchema } }),
      (report, room) => {
        expect(report.value).to.deep.include({ status: 'ok' });
        const [, , { params } = {}] = room.requests();
        expect(Object(params).arguments).to.deep.equal({
          perPage: 5,
          'sort-by': 'a',
          page_token: 't',
          other_key: 1,
          'as-it-is': 2,
          headers: { 'X-Trace-Id': 'a', x_id: 'b' },
        });
      },
    );
  });

  it('two keys of the same property are refused, both named, and nothing is sent', async () => {
    await runTools(
      application(
        { result: textResult('a') },
        { program: '(tool/look-up {:city-name 1 "city_name" 2})', tool: { inputSchema: { type: 'object' } } },
      ),
      (report, room) => {
        const details = { property: 'city_name', keys: ['"city_name"', ':city-name'] };
        expect(report.value).to.deep.equal({
          status: 'error',
          kind: 'protocol_error',
          reason: 'input_validation_failed',
          'retryable?': false,
          details,
        });
        expect(room.methods()).to.deep.equal(['server/discover', 'tools/list']);
      },
    );
  });

  it('calls of parallel branches are each answered with their own', async () => {
    const program = '(vec (pmap (fn [city] (get (tool/look-up {:city city}) :value)) ["a" "b" "c" "d"]))';
    await runTools(application({ dump: true }, { program }), (report) => {
      const cities = [report.value]
        .flat()
        .map((value) => Object(JSON.parse(Object(value)['text'][0]))['arguments']['city']);
      expect(cities).to.deep.equal(['a', 'b', 'c', 'd']);
    });
  });

  it('a child has its credentials, what it inherits, and nothing else; no secret is told anybody', async () => {
    const host = { credentials: { key: { env: 'DESK_KEY' } } };
    const wanted = {
      transport: { env: { TOKEN: { binding: 'key' } } },
      host,
      environment: { DESK_KEY: TOOL_SECRET, TERM: 'dumb', LEAKED: 'yes' },
    };
    await runTools(application({ dump: true }, wanted), (report, room) => {
      const reported: unknown = JSON.parse(Object(Object(report.value)['value'])['text'][0]);
      const names = Object.keys(Object(Object(reported)['environment']));
      expect(names).to.have.members(['HOME', 'LC_ALL', 'PATH', 'TERM', 'TOKEN']);
      expect(reported).to.have.property('cwd', room.directory);
      expect(JSON.stringify(report.envelope) + report.stderr + room.text('log')).not.to.include(TOOL_SECRET);
    });
  });

  it('a child that inherits nothing has its credentials and its locale alone', async () => {
    await runTools(application({ dump: true }, { transport: { inherit_environment: false } }), (report) => {
      const reported: unknown = JSON.parse(Object(Object(report.value)['value'])['text'][0]);
      expect(Object.keys(Object(Object(reported)['environment']))).to.deep.equal(['LC_ALL']);
    });
  });

  const bound = (count: number): Members =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`V_${at}`, { binding: 'key' }]));
  const KEY = { host: { credentials: { key: { literal: 'v' } } } };
  for (const [count, variables] of [
    [248, 255],
    [249, 256],
  ] as const) {
    it(`a child has ${variables} variables: ${count} credentials, all that is inherited and its locale`, async () => {
      const environment = { HOME: '/', LOGNAME: 'l', SHELL: '/bin/sh', TERM: 'dumb', USER: 'u' };
      await runTools(
        application({ dump: true }, { ...KEY, transport: { env: bound(count) }, environment }),
        (report) => {
          const reported: unknown = JSON.parse(Object(Object(report.value)['value'])['text'][0]);
          expect(Object.keys(Object(Object(reported)['environment']))).to.have.length(variables);
        },
      );
    });
  }

  for (const count of [255, 256]) {
    it(`a child has ${count} arguments`, async () => {
      const script = `echo $# > count; exec ${process.execPath} ${SERVER} --script script.json --log log --pids pids`;
      const args = ['-c', script, 'sh', ...Array<string>(count - 3).fill('a')];
      await runTools(
        application({ result: textResult('a') }, { transport: { command: '/bin/sh', args } }),
        (report, room) => {
          expect(report.value).to.deep.include({ status: 'ok' });
          expect(room.text('count')).to.equal(`${count - 3}\n`);
        },
      );
    });
  }

  for (const [member, transport] of [
    ['args', { args: Array<string>(257).fill('a') }],
    ['env', { env: bound(250) }],
  ] as const) {
    it(`a child with one of ${member} more than may be is not declared`, async () => {
      await runTools(application({ result: textResult('a') }, { ...KEY, transport }), (report, room) => {
        expect(report.envelope).to.deep.nested.include({
          'error.code': 'host_schema_invalid',
          'error.path': `/install/*/transport/${member}`,
          'error.provider_activity': false,
        });
        expect(room.pids()).to.deep.equal([]);
      });
    });
  }

  it('a private inspection keeps what was exchanged, and what was written on the standard error meanwhile', async () => {
    await runTools(
      application(
        { stderr: 'a warning\n', result: textResult('sunny') },
        { argv: ['run', 'svc.json', '--inspect', 'run.svcins'], transport: { stderr_bytes: 4 } },
      ),
      (report, room) => {
        expect(report.status).to.equal(0);
        const records = room
          .text('run.svcins')
          .split('\n')
          .filter((line) => line.includes('mcp-'));
        expect(records.length).to.be.greaterThan(0);
        const stored = records.join('\n');
        expect(stored).to.include('"tools/call"').and.to.include('sunny').and.to.include('ing\\n');
        expect(stored).not.to.include('a warn');
      },
    );
  });

  it('what it writes on its standard error disturbs nobody, however much it is', async () => {
    await runTools(application({ stderr: 'planted-words '.repeat(200_000), result: textResult('a') }), (report) => {
      expect(report.value).to.deep.include({ status: 'ok' });
      expect(report.stderr).to.equal('');
    });
  });
});
