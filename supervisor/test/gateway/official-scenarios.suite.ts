/**
 * What the official conformance runner says of the gateway (gateway.md §14). It shows no bearer and its own address: a
 * proxy of the suite adds the one and names the other. The runner answers forms of its own, with keys of its own: the
 * proxy is the person who reads them, and says `allow once` where the runner says its yes.
 */
import { once } from 'node:events';
import {
  createServer,
  request,
  type ClientRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Readable } from 'node:stream';
import { expect } from 'chai';
import { LOOK_UP, SERVER, call, discover, listing, textResult } from '../../../conformance/tools/room.ts';
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
/** A tool whose calls need a person's yes, one after the other. */
const asks = (...cities: readonly string[]): ToolSource => ({
  program: `(ns main)\n(defn run [_] {:value (str (get (kernel/eval-source "desk" ${JSON.stringify(
    `[${cities.map((city) => `(:status (tool/look-up {:city ${JSON.stringify(city)}}))`).join(' ')}]`,
  )}) :value))})\n`,
  input: ANY,
  manifest: LOOKING,
});
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
const ANSWERS = Array.from({ length: 20 }, () => call({ result: textResult('done') }));
const FILES = { 'script.json': { steps: [discover(), listing(LOOK_UP), ...ANSWERS] }, log: '', pids: '' };
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
  test_input_required_result_elicitation: asks('Oslo'),
  test_input_required_result_request_state: asks('Oslo'),
  test_input_required_result_multi_round: asks('Oslo', 'Rome'),
  test_input_required_result_tampered_state: asks('Oslo'),
  test_x_headers: {
    program: '(ns main)\n(defn run [input] {:value (str (get input "region"))})\n',
    input: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      additionalProperties: false,
    },
  },
};

/** The key that the runner gives the one question of a round, for the id that the gateway gave it. */
const RUNNERS_KEY = 'user_name';

/** The retry of a call as the gateway's form has its answers. */
function answeredForm(body: string, ids: ReadonlyMap<string, string>): string {
  const message = Object(JSON.parse(body));
  const { inputResponses, requestState } = Object(message.params);
  const id = ids.get(String(requestState));
  if (id === undefined || typeof inputResponses !== 'object' || inputResponses === null) return body;
  const answers = Object.entries(inputResponses).map(([key, answer]) => [
    key === RUNNERS_KEY ? id : key,
    Object(answer).action === 'accept' ? { action: 'accept', content: { decision: 'allow once' } } : answer,
  ]);
  return JSON.stringify({
    ...message,
    params: { ...message.params, inputResponses: Object.fromEntries(answers) },
  });
}

/** The answer of the gateway with the runner's key; what has one question is kept by its state. */
function withRunnersKey(body: string, ids: Map<string, string>): string {
  const [, id = ''] = /"inputRequests":\{"(apr-[0-9a-z]{26})":/.exec(body) ?? [];
  const [, state = ''] = /"requestState":"([^"]+)"/.exec(body) ?? [];
  if (id === '' || state === '') return body;
  ids.set(state, id);
  return body.replace(`"inputRequests":{"${id}":`, `"inputRequests":{"${RUNNERS_KEY}":`);
}

async function bodyOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

async function askAsGateway(stream: Readable, passed: ClientRequest, ids: ReadonlyMap<string, string>): Promise<void> {
  passed.end(answeredForm(await bodyOf(stream), ids));
}

async function answerAsRunner(got: IncomingMessage, answer: ServerResponse, ids: Map<string, string>): Promise<void> {
  const body = withRunnersKey(await bodyOf(got), ids);
  const { 'content-length': _, ...headers } = got.headers;
  answer.writeHead(got.statusCode ?? 502, headers).end(body);
}

async function proxyTo(target: URL): Promise<{ readonly server: Server; readonly url: string }> {
  const ids = new Map<string, string>();
  const server = createServer((requested, answer) => {
    const isQuestion = requested.headers['mcp-name']?.includes('input_required') === true;
    const own = `http://${requested.headers.host ?? ''}`;
    const foreign =
      requested.headers.host !== undefined &&
      !/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(requested.headers.host);
    const origin = requested.headers.origin;
    const headers = {
      ...requested.headers,
      host: foreign ? requested.headers.host : target.host,
      authorization: `Bearer ${TOKEN}`,
      ...(origin === own || (origin !== undefined && /^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(origin))
        ? { origin: 'https://a.example' }
        : {}),
    };
    if (isQuestion) delete headers['content-length'];
    const passed = request(target, { method: requested.method, headers }, (got) => {
      if (isQuestion) {
        void answerAsRunner(got, answer, ids);
        return;
      }
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.on('error', () => {
      answer.destroy();
    });
    answer.on('close', () => {
      passed.destroy();
    });
    if (isQuestion) void askAsGateway(requested, passed, ids);
    else requested.pipe(passed);
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
