/** Tools of a gateway that are offered for programs, as clients over HTTP have them (code-mode.md §2, §9). */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LOOK_UP, call, discover, listing, textResult } from '../../../conformance/tools/room.ts';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { until } from '../../../conformance/until.ts';
import { ENVIRONMENT, TOKEN, firstLine, gatewayDirectory, messagesOf, modern, type TestGateway } from './gateway.ts';
import { WRITING, auditOf, audited } from './writing.ts';

const OTHER_TOKEN = 'another-bearer-of-a-test-9876543210-fedcba';
const CODE = ['--code', 'act', '--answer-within-ms', '2000'];
const LOOP = '(loop [n 0] (recur (inc n)))';

interface Answered {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** One call, and its result; of a streamed answer the last message. */
async function callTool(
  gateway: TestGateway,
  name: string,
  input: object,
  { token = TOKEN, signal, meta }: { token?: string; signal?: AbortSignal; meta?: object } = {},
): Promise<{ readonly status: number; readonly result: Answered; readonly error: Readonly<Record<string, unknown>> }> {
  const request = modern(
    'tools/call',
    { name, arguments: input },
    { headers: { authorization: `Bearer ${token}` }, ...(meta === undefined ? {} : { meta }) },
  );
  const response = await fetch(gateway.url, { ...request, ...(signal === undefined ? {} : { signal }) });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const message = isStream ? (await messagesOf(response)).at(-1) : Object(await response.json());
  return { status: response.status, result: Object(message?.result), error: Object(message?.error) };
}

async function start(gateway: TestGateway, program: string, more: object = {}): Promise<Answered> {
  const { result, error } = await callTool(gateway, 'act.run', { program, ...more });
  expect(error).to.deep.equal({});
  return result;
}

/** The end of an answer that may say that the program goes on. */
async function endOf(gateway: TestGateway, first: Answered): Promise<Answered> {
  let answer = first;
  while (answer.structuredContent?.['status'] === 'running') {
    const { continue: id, session } = answer.structuredContent;
    answer = (await callTool(gateway, 'act.run', { continue: id, session })).result;
  }
  return answer;
}

const run = async (gateway: TestGateway, program: string, more: object = {}): Promise<Answered> =>
  endOf(gateway, await start(gateway, program, more));
const said = ({ content }: Answered): string => content?.[0]?.text ?? '';
const sessionOf = (answer: Answered): string => String(answer.structuredContent?.['session']);

describe('a gateway with --code (code-mode.md §2)', () => {
  let gateway: TestGateway;
  before(async () => {
    // More than one session takes at once.
    const edit = (document: Readonly<Record<string, unknown>>): object => ({
      ...Object(WRITING.edit?.(document)),
      admission: { ...Object(document['admission']), max_inflight_requests: 16 },
    });
    gateway = await audited({ edit }, CODE);
  });
  after(async () => {
    const { status, stderr } = await gateway.stop();
    expect([status, stderr]).to.deep.equal([0, '']);
  });

  for (const [how, open] of [
    [
      'of 2026-07-28',
      async () => {
        const client = new Client(
          { name: 'test', version: '1' },
          { versionNegotiation: { mode: { pin: '2026-07-28' } } },
        );
        const headers = { authorization: `Bearer ${TOKEN}` };
        await client.connect(new StreamableHTTPClientTransport(gateway.url, { requestInit: { headers } }));
        return client;
      },
    ],
    [
      'of 2025-11-25',
      async () => {
        const client = new Client({ name: 'test', version: '1' });
        const headers = { authorization: `Bearer ${TOKEN}` };
        await client.connect(new StreamableHTTPClientTransport(gateway.url, { requestInit: { headers } }));
        return client;
      },
    ],
  ] as const)
    it(`is used by the official client ${how} (1)`, async () => {
      const client = await open();
      try {
        expect(client.getInstructions())
          .to.match(/Search first/)
          .and.to.match(/give it to the next run/);
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).to.deep.equal(['act.describe', 'act.run', 'act.search', 'echo']);
        expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).to.deep.equal([true, false, true, true]);
        const found = await client.callTool({ name: 'act.search', arguments: { query: 'look up' } });
        expect(found.structuredContent).to.have.nested.property('hits[0].name', 'look-up');
        const reported: number[] = [];
        const first = await client.callTool(
          { name: 'act.run', arguments: { program: '(def a 1)\n(+ a 1)' } },
          { onprogress: ({ progress }) => reported.push(progress) },
        );
        expect(first.structuredContent).to.include({ status: 'ok', value: 2 });
        expect(reported).to.deep.equal(reported.toSorted((left, right) => left - right));
        const { session } = Object(first.structuredContent);
        const next = await client.callTool({ name: 'act.run', arguments: { program: 'a', session } });
        expect(next.structuredContent).to.include({ value: 1, session });
        const failed = await client.callTool({ name: 'act.run', arguments: { program: '(nope)', session } });
        expect(failed.isError).to.equal(true);
      } finally {
        await client.close();
      }
    });

  it('is used by the client of the older package (1)', async () => {
    const client = new OlderClient({ name: 'test', version: '1' });
    const transport = new OlderTransport(gateway.url, {
      requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
    });
    // Its declarations do not fit each other under exact optional members.
    await Reflect.apply(Reflect.get(client, 'connect'), client, [transport]);
    try {
      const answer = await client.callTool({ name: 'act.run', arguments: { program: '(+ 1 2)' } });
      expect(answer['structuredContent']).to.include({ value: 3 });
    } finally {
      await client.close();
    }
  });

  it('keeps what a program defined for whoever names its session, and for nobody else (56, 57)', async () => {
    const first = await run(gateway, '(def a 41)\n(inc a)');
    expect(first.structuredContent).to.deep.include({ status: 'ok', value: 42 });
    expect(sessionOf(first)).to.match(/^[0-9a-f]{32}$/);
    const session = sessionOf(first);
    expect((await run(gateway, 'a', { session })).structuredContent).to.include({ value: 41, session });
    const fresh = await run(gateway, 'a');
    expect(fresh).to.include({ isError: true });
    expect(said(fresh)).to.match(/unbound_var/);
    for (const unknown of ['0'.repeat(32), '', 7])
      expect(said(await run(gateway, 'a', { session: unknown }))).to.match(
        /^session_unknown: .*run the definitions again/,
      );
    expect((await run(gateway, '(def a 1) (nope)', { session })).isError).to.equal(true);
    expect((await run(gateway, 'a', { session })).structuredContent).to.include({ value: 41 });
    expect((await callTool(gateway, 'act.run', { reset: true, session })).result.structuredContent).to.include({
      status: 'ok',
    });
    expect((await run(gateway, 'a', { session })).isError).to.equal(true);
  });

  it('is no session of another bearer, whatever he knows (56)', async () => {
    const { session } = Object((await run(gateway, '(def a 1)')).structuredContent);
    expect((await callTool(gateway, 'act.run', { program: 'a', session }, { token: OTHER_TOKEN })).status).to.equal(
      401,
    );
    const other = await audited({}, CODE, { GATEWAY_TOKEN: OTHER_TOKEN });
    try {
      const answer = await callTool(other, 'act.run', { program: 'a', session }, { token: OTHER_TOKEN });
      expect(said(answer.result)).to.match(/^session_unknown: /);
    } finally {
      await other.stop();
    }
  });

  it('tells what runs longer than its client waits, and gives its end when it is asked for (38)', async () => {
    const slow = await start(gateway, '(reduce + (map inc (range 40000000)))');
    expect(slow.structuredContent).to.include({ status: 'running' });
    const { continue: id, session, how } = Object(slow.structuredContent);
    expect(how).to.include(`{"continue":"${id}","session":"${session}"}`);
    expect(said((await callTool(gateway, 'act.run', { continue: id })).result)).to.match(/give the session/);
    const answer = await endOf(gateway, slow);
    expect(answer.structuredContent).to.deep.include({ status: 'ok', value: 800_000_020_000_000, session });
    expect(said((await callTool(gateway, 'act.run', { continue: id, session })).result)).to.match(
      /there is no result under this ID/,
    );
  });

  it('ends a run whose client has gone, and leaves definitions as they were (7)', async () => {
    const { session } = Object((await run(gateway, '(def a 1)')).structuredContent);
    const leaving = new AbortController();
    const call = callTool(
      gateway,
      'act.run',
      { program: `(def a 2) ${LOOP}`, session },
      { signal: leaving.signal },
    ).catch(() => 'gone');
    await pause(500);
    leaving.abort();
    expect(await call).to.equal('gone');
    expect((await run(gateway, 'a', { session })).structuredContent).to.include({ value: 1 });
  });

  it('lets one run, eight wait, and tells the tenth that it is busy (39)', async () => {
    const { session } = Object((await run(gateway, '(def a 1)')).structuredContent);
    const leaving = new AbortController();
    const calls = Array.from({ length: 10 }, async (_, at) => {
      await pause(at * 10);
      return callTool(gateway, 'act.run', { program: LOOP, session }, { signal: leaving.signal }).catch(() => null);
    });
    const busy = await calls[9];
    expect(said(busy?.result ?? {})).to.match(/^busy: /);
    leaving.abort();
    await Promise.all(calls);
    const after = await until('all of them have ended', async () => {
      const answer = await run(gateway, 'a', { session });
      return said(answer).startsWith('busy: ') ? undefined : answer;
    });
    expect(after.structuredContent, said(after)).to.include({ value: 1 });
  });

  it('goes on with an honest session beside a hostile program', async () => {
    const { session } = Object((await run(gateway, '(def a 1)')).structuredContent);
    const hostile = [
      '(loop [held []] (recur (conj held (apply str (repeat 100000 "x")))))',
      LOOP,
      '(doseq [n (range 1000000)] (println (apply str (repeat 1000 "x"))))',
      '((fn again [n] (+ 1 (again n))) 0)',
    ];
    for (const program of hostile) {
      const attack = run(gateway, program, { timeout_ms: 3000 });
      for (let time = 0; time < 3; time += 1) {
        const honest = await run(gateway, '(+ a 1)', { session });
        expect(honest.structuredContent, said(honest)).to.include({ value: 2 });
      }
      expect(await attack).to.include({ isError: true });
    }
  });

  it('puts one intent and one outcome of each run on record (gateway.md §11)', async () => {
    const done = await run(gateway, '(:status (tool/look-up {:city "Oslo"}))');
    expect(done.structuredContent).to.deep.include({ value: 'ok', calls: [{ name: 'look-up', n: 1, errors: 0 }] });
    await run(gateway, '(nope)');
    await callTool(gateway, 'act.search', { query: 'look up' });
    // It keeps a few files.
    const records = auditOf(gateway.directory).slice(-4);
    expect(records.map(({ record, tool_name: tool, outcome_code: code }) => [record, tool, code])).to.deep.equal([
      ['intent', 'act.run', undefined],
      ['outcome', 'act.run', 'success'],
      ['intent', 'act.run', undefined],
      ['outcome', 'act.run', 'execution_failed'],
    ]);
    expect(records[1]).to.include({
      write_effects_may_have_occurred: true,
      run_ref: done.structuredContent?.['run_ref'],
    });
    expect(records[3]).to.include({ write_effects_may_have_occurred: false });
  });

  it('refuses arguments that are none, in the words of the three tools', async () => {
    for (const [name, input, words] of [
      ['act.search', {}, /query is a text/],
      ['act.search', { query: 'x', limit: 99 }, /from 1 to 50/],
      ['act.describe', { names: [] }, /1 to 20/],
      ['act.run', {}, /give a program/],
      ['act.run', { program: '1', value_chars: 1 }, /from 256 to 65536/],
    ] as const)
      expect(said((await callTool(gateway, name, input)).result)).to.match(words);
    expect((await callTool(gateway, 'act', {})).error).to.deep.include({ data: { reason: 'unknown_tool' } });
    const keyed = await callTool(gateway, 'act.run', { program: '1' }, { meta: { 'svc/idempotency_key': 'k' } });
    expect(keyed.error).to.deep.include({ data: { reason: 'idempotency_key' } });
  });
});

describe('a gateway with --code, asked for what needs a person', () => {
  it('says that nobody can be asked (approvals.md §6)', async () => {
    const { desk } = Object(WRITING.install);
    const gateway = await audited(
      { install: { desk: { ...desk, tools: { lookUp: { as: 'look-up', effect: 'write', approval: 'always' } } } } },
      CODE,
    );
    try {
      const described = await callTool(gateway, 'act.describe', { names: ['look-up'] });
      expect(described.result.structuredContent).to.have.nested.property('names[0].approval', 'asks a person');
      const answer = await run(
        gateway,
        '(let [r (tool/look-up {:city "Oslo"})] [(:reason r) (get-in r [:details :how])])',
      );
      expect(answer.structuredContent).to.deep.include({
        value: ['approval_unavailable', 'client_without_elicitation'],
      });
      expect(readFileSync(join(gateway.directory, 'log'), 'utf8')).not.to.include('tools/call');
    } finally {
      await gateway.stop();
    }
  });
});

describe('a gateway with --code leaves', () => {
  it('a trace of each run, with its place in a session whose name is in none (46)', async () => {
    const gateway = await audited(
      {
        edit: (document) => ({
          ...Object(WRITING.edit?.(document)),
          artifacts: { root: 'left', trace: true, inspection: false },
        }),
      },
      CODE,
    );
    const first = await run(gateway, '(def a 1)');
    const session = sessionOf(first);
    await run(gateway, 'a', { session });
    await gateway.stop((directory) => {
      const traces = readdirSync(join(directory, 'left/traces')).map((name) =>
        readFileSync(join(directory, 'left/traces', name), 'utf8'),
      );
      const started = traces.map((text) => JSON.parse(text.split('\n')[0] ?? '').data.session);
      expect(started.map(({ index }) => index)).to.have.members([1, 2]);
      expect(new Set(started.map(({ id }) => id)).size).to.equal(1);
      expect(traces.join('')).not.to.include(session);
    });
  });
});

describe('svc gateway --code does not start', () => {
  for (const [title, argv, error, words] of [
    ['a tool that is not there', ['--code', 'nope'], 'config_invalid', /has no tool of this name; it has act, echo/],
    ['a tool twice', ['--code', 'act', '--code', 'act:desk'], 'config_invalid', /given twice/],
    [
      'a mission that is not there',
      ['--code', 'act:nope'],
      'template_invalid',
      /declares desk; choose one as --code act:MISSION/,
    ],
    ['a tool without missions', ['--code', 'echo'], 'template_invalid', /declares no mission/],
  ] as const)
    for (const more of [[], ['--check']])
      it(`for ${title}${more.join('')}`, async () => {
        const { directory } = await gatewayDirectory(WRITING);
        const { status, stderr } = await runToEnd({
          argv: ['gateway', 'gateway.json', ...argv, ...more],
          directory,
          environment: ENVIRONMENT,
        });
        expect(status).to.equal(78);
        expect(JSON.parse(firstLine(stderr))).to.include({ error });
        expect(stderr).to.match(words);
      });

  it('for a tool that writes and may not (58)', async () => {
    const { directory } = await gatewayDirectory(WRITING);
    const path = join(directory, 'gateway.json');
    const { private_audit: _, ...document } = JSON.parse(readFileSync(path, 'utf8'));
    const tools = document.tools.map((tool: object) => ({ ...tool, allow_write: false }));
    writeFileSync(path, JSON.stringify({ ...document, tools }));
    const { status, stderr } = await runToEnd({
      argv: ['gateway', 'gateway.json', '--code', 'act'],
      directory,
      environment: ENVIRONMENT,
    });
    expect([status, firstLine(stderr)]).to.deep.equal([78, '{"error":"write_forbidden"}\n']);
  });

  it('for a server that is no longer what was pinned (59)', async () => {
    const { directory } = await gatewayDirectory(WRITING);
    mkdirSync(join(directory, 'audit'), { mode: 0o700 });
    const changed = { ...LOOK_UP, inputSchema: { type: 'object' } };
    const script = { steps: [discover(), listing(changed), call({ result: textResult('done') })] };
    writeFileSync(join(directory, 'script.json'), JSON.stringify(script));
    const { status, stderr } = await runToEnd({
      argv: ['gateway', 'gateway.json', '--code', 'act'],
      directory,
      environment: ENVIRONMENT,
    });
    expect([status, firstLine(stderr)]).to.deep.equal([78, '{"error":"provider_pin_mismatch"}\n']);
  });
});
