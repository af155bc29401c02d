/**
 * What the official conformance runner says of the gateway (gateway.md §14). It shows no bearer and its own address: a
 * proxy of the suite adds the one and names the other.
 */
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { expect } from 'chai';
import { LOOK_UP, SERVER, discover, list } from '../../../conformance/tools/room.ts';
import baseline from './official-baseline.json' with { type: 'json' };
import { OfficialRunner, scenariosOf, type Baseline } from './official-runner.ts';
import { TOKEN, startTestGateway, type TestGateway, type ToolSource } from './gateway.ts';

/** Beside the same tools one that is offered for programs: what the runner finds may not change. */
const DESK: ToolSource = {
  program: '(ns main)\n(defn run [input] input)\n',
  input: { type: 'object', properties: {}, additionalProperties: true },
  result: { type: 'object', properties: {}, additionalProperties: true },
  manifest: { missions: { desk: {} } },
};
const OFFERS: Readonly<Record<string, readonly string[]>> = {
  '': [],
  ', with tools for programs': ['--code', 'test_desk'],
};

const BASELINE: Baseline = baseline;
const ANY = { type: 'object', properties: {}, additionalProperties: true };
const LOOKING = {
  workflow: {
    components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
    entry: 'main/run',
  },
  missions: { desk: { providers: ['desk'] } },
  providers: { mission: [{ name: 'desk' }] },
};
/** A tool whose call needs a person's yes; it goes on with a no. */
const asks: ToolSource = {
  program:
    '(ns main)\n(defn run [_] {:value (str (get (kernel/eval-source "desk" "(:reason (tool/look-up {:city \\"Oslo\\"}))") :value))})\n',
  input: ANY,
  manifest: LOOKING,
};
const INSTALL = {
  desk: {
    source: 'mcp',
    installation_revision: 'r1',
    transport: {
      type: 'stdio',
      command: process.execPath,
      args: [SERVER, '--script', 'script.json', '--log', 'log', '--pids', 'pids'],
    },
    approval: 'always',
    tools: { lookUp: { as: 'look-up', effect: 'read' } },
  },
};
const FILES = { 'script.json': { steps: [discover(), list(LOOK_UP)] }, log: '', pids: '' };
const says = (text: string): ToolSource => ({ program: `(ns main)\n(defn run [_] {:value "${text}"})\n`, input: ANY });
/** Tools have the names that the runner asks for. */
const TOOLS: Readonly<Record<string, ToolSource>> = {
  // The first one that is listed is called with nothing.
  test_a_text: says('text'),
  test_simple_text: says('This is a simple text response for testing.'),
  test_logging_tool: says('nothing is logged'),
  test_streaming_elicitation: says('nobody is asked'),
  test_error_handling: { program: '(ns main)\n(defn run [_] (fail {:reason "this tool always fails"}))\n', input: ANY },
  test_tool_with_progress: {
    program:
      '(ns main)\n(defn run [_] (doseq [stage ["started" "planning" "executing" "completed"]] (workflow.event/annotate "progress" {"stage" stage})) {:value "done"})\n',
    input: ANY,
    manifest: {
      workflow: {
        components: [{ library: 'workflow.event' }, { id: 'main', path: 'main.clj', dependencies: ['workflow.event'] }],
        entry: 'main/run',
      },
    },
  },
  test_input_required_result_elicitation: asks,
  test_input_required_result_request_state: asks,
  test_input_required_result_multi_round: asks,
  test_input_required_result_tampered_state: asks,
  test_x_headers: {
    program: '(ns main)\n(defn run [input] {:value (str (get input "region"))})\n',
    input: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      additionalProperties: false,
    },
  },
};

async function proxyTo(target: URL): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((asked, answer) => {
    const own = `http://${asked.headers.host ?? ''}`;
    const foreign =
      asked.headers.host !== undefined && !/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(asked.headers.host);
    const origin = asked.headers.origin;
    const headers = {
      ...asked.headers,
      host: foreign ? asked.headers.host : target.host,
      authorization: `Bearer ${TOKEN}`,
      ...(origin === own || (origin !== undefined && /^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(origin))
        ? { origin: 'https://a.example' }
        : {}),
    };
    const passed = request(target, { method: asked.method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.on('error', () => {
      answer.destroy();
    });
    answer.on('close', () => {
      passed.destroy();
    });
    asked.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = server.address();
  return { server, url: `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}/mcp` };
}

for (const revision of ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'])
  for (const [how, options] of Object.entries(OFFERS))
    describe(`the official scenarios of servers at ${revision}${how}`, () => {
      const runner = new OfficialRunner();
      let gateway: TestGateway;
      let proxy: Awaited<ReturnType<typeof proxyTo>>;
      const known = BASELINE[revision] ?? {};
      const scenarios = scenariosOf(revision);
      before(async () => {
        gateway = await startTestGateway(
          {
            tools: { ...TOOLS, test_desk: DESK },
            install: INSTALL,
            files: FILES,
            // The runner leaves runs behind that wait for a person.
            edit: (document) => ({
              ...document,
              admission: { ...Object(document['admission']), max_inflight_requests: 32, max_concurrent_runs: 32 },
            }),
          },
          options,
        );
        proxy = await proxyTo(gateway.url);
      });
      after(async () => {
        await runner.close();
        proxy.server.closeAllConnections();
        proxy.server.close();
        await gateway.stop();
      });

      it('are those that the list of exceptions knows', () => {
        expect(scenarios).not.to.deep.equal([]);
        expect(scenarios).to.include.members(Object.keys(known));
      });

      for (const scenario of scenarios) {
        const excepted = known[scenario] ?? {};
        it(`${scenario}${Object.keys(excepted).length === 0 ? '' : `, but for ${Object.keys(excepted).join(', ')}`}`, async () => {
          const checks = await runner.judged(proxy.url, scenario, revision);
          const failed = checks.filter(({ status }) => status === 'FAILURE');
          // An exception that no longer is one is struck off.
          expect([...new Set(failed.map(({ id }) => id))], JSON.stringify(failed)).to.have.members(
            Object.keys(excepted),
          );
          expect(checks).not.to.deep.equal([]);
        });
      }
    });
