/** A gateway that asks the person behind its client: rounds of the current revision (approvals.md §6, §13). */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOOK_UP, call, discover, listing, textResult } from '../../../conformance/tools/room.ts';
import { until } from '../../../conformance/until.ts';
import { freePort, messagesOf, modern, TOKEN, type GatewayFiles, type TestGateway } from './gateway.ts';
import { audited, auditOf, WRITING } from './writing.ts';

const ELICITS = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
const ONE = '(str (:reason (tool/look-up {:city "Oslo"})))';
const many = (count: number): string =>
  `(str (vec (pmap (fn [n] (:reason (tool/look-up {:city (str "city " n)}))) (range ${count}))))`;
const ANSWERS = Array.from({ length: 40 }, () => call({ result: textResult('done') }));
const desk = Object(WRITING.install)['desk'];

function asking(approvals: object = {}, admission: object = {}): Partial<GatewayFiles> {
  return {
    install: { desk: { ...desk, approval: 'writes' } },
    files: { 'script.json': { steps: [discover(), listing(LOOK_UP), ...ANSWERS] } },
    edit: (document) => {
      const edited = Object(WRITING.edit?.(document));
      return {
        ...edited,
        admission: { ...edited.admission, ...admission },
        private_audit: { ...edited.private_audit, max_file_bytes: 65_536 },
      };
    },
    host: { approvals },
  };
}

type Result = Readonly<Record<string, unknown>>;
interface Answered {
  readonly status: number;
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly data?: { readonly reason?: string } };
}

async function read(response: Response): Promise<Answered> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const message = isStream ? (await messagesOf(response)).at(-1) : Object(await response.json());
  return { status: response.status, ...Object(message) };
}

interface AskOptions {
  readonly tool?: string;
  readonly more?: object;
  readonly meta?: object;
  readonly id?: unknown;
  readonly signal?: AbortSignal;
}

async function ask(
  { url }: Pick<TestGateway, 'url'>,
  value: string,
  { tool = 'act', more = {}, meta = ELICITS, id = 1, signal }: AskOptions = {},
): Promise<Answered> {
  const request = modern('tools/call', { name: tool, arguments: { value }, ...more }, { meta, id });
  return read(await fetch(url, { ...request, ...(signal === undefined ? {} : { signal }) }));
}

const requestsOf = ({ result }: Answered): readonly string[] => Object.keys(Object(result?.['inputRequests']));
const stateOf = ({ result }: Answered): string => String(result?.['requestState']);
const valueOf = ({ result }: Answered): unknown => Object(result?.['structuredContent'])['value'];
const accept = (decision: string): object => ({ action: 'accept', content: { decision } });
const answers = (round: Answered, answer: object = accept('allow once')): object => ({
  requestState: stateOf(round),
  inputResponses: Object.fromEntries(requestsOf(round).map((id) => [id, answer])),
});
const calls = ({ directory }: TestGateway): number =>
  readFileSync(join(directory, 'log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('tools/call')).length;

describe('a gateway that asks the person behind its client (approvals.md §6)', () => {
  let gateway: TestGateway;
  afterEach(async () => {
    await gateway.stop();
  });

  it('asks only who declares it, only for a call, and says in its list which tools ask (39)', async () => {
    gateway = await audited(asking());
    const listed = await read(await fetch(gateway.url, modern('tools/list', {}, { meta: ELICITS })));
    expect(listed.result).to.include({ resultType: 'complete' });
    const tools: readonly Result[] = Object(listed.result)['tools'];
    expect(tools.map(({ name, _meta }) => [name, Object(_meta)['svc/approval']])).to.deep.equal([
      ['act', true],
      ['echo', undefined],
    ]);
    for (const meta of [
      {},
      { 'io.modelcontextprotocol/clientCapabilities': { sampling: {}, elicitation: { url: {} } } },
    ]) {
      const answered = await ask(gateway, ONE, { meta });
      expect(answered.result).to.include({ resultType: 'complete' });
      expect(valueOf(answered)).to.equal(':approval_unavailable');
      expect(JSON.stringify(answered.result?.['content'])).to.include('client_without_elicitation');
    }
    const legacy = await fetch(gateway.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'act', arguments: { value: ONE } },
      }),
    });
    expect(valueOf(await read(legacy))).to.equal(':approval_unavailable');
    expect(calls(gateway)).to.equal(0);
  });

  it('asks, and calls with the yes; the audit has one intent and one outcome (36, 47)', async () => {
    gateway = await audited(asking());
    const round = await ask(gateway, ONE);
    expect(round.result).to.include({ resultType: 'input_required' });
    const [id = ''] = requestsOf(round);
    expect(id).to.match(/^apr-[0-9a-z]{26}$/);
    expect(ElicitRequestSchema.safeParse(Object(round.result?.['inputRequests'])[id]).success).to.equal(true);
    expect(stateOf(round).length).to.be.at.most(1024);
    expect(calls(gateway)).to.equal(0);
    const end = await ask(gateway, ONE, { more: answers(round), id: 'second' });
    expect(end.result).to.include({ resultType: 'complete' });
    expect(valueOf(end)).to.equal('');
    expect(calls(gateway)).to.equal(1);
    const records = auditOf(gateway.directory);
    expect(records.map(({ record }) => record)).to.deep.equal(['intent', 'outcome']);
    expect(records[1]).to.deep.include({
      outcome_code: 'success',
      disconnected: false,
      approvals: { allowed: 1, denied: 0, expired: 0 },
    });
    expect(records[0]).not.to.have.property('approvals');
  });

  it('takes a no, and a form that was closed (37)', async () => {
    gateway = await audited(asking());
    for (const answer of [accept('deny'), { action: 'decline' }, { action: 'cancel' }])
      expect(valueOf(await ask(gateway, ONE, { more: answers(await ask(gateway, ONE), answer) }))).to.equal(
        ':approval_denied',
      );
    const round = await ask(gateway, ONE);
    const again = await ask(gateway, ONE, { more: answers(round, accept('maybe')) });
    expect(requestsOf(again)).to.deep.equal(requestsOf(round));
    expect(valueOf(await ask(gateway, ONE, { more: answers(again, accept('maybe')) }))).to.equal(':approval_denied');
    expect(calls(gateway)).to.equal(0);
  });

  it('counts what it asks by tool, and how each question ended', async () => {
    const port = await freePort();
    const figures = async (): Promise<readonly string[]> =>
      (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
        .split('\n')
        .filter((line) => line.startsWith('svc_gateway_approvals_'));
    gateway = await audited(asking(), ['--metrics', String(port)]);
    expect(await figures()).to.deep.equal(['svc_gateway_approvals_open 0']);
    const rounds = [await ask(gateway, ONE), await ask(gateway, ONE)];
    expect(await figures()).to.have.members([
      'svc_gateway_approvals_open 2',
      'svc_gateway_approvals_asked_total{tool="look-up"} 2',
    ]);
    for (const [index, answer] of ['allow once', 'deny'].entries())
      await ask(gateway, ONE, { more: answers(rounds[index] ?? { status: 0 }, accept(answer)) });
    expect(await figures()).to.have.members([
      'svc_gateway_approvals_open 0',
      'svc_gateway_approvals_asked_total{tool="look-up"} 2',
      'svc_gateway_approvals_ended_total{tool="look-up",end="allowed"} 1',
      'svc_gateway_approvals_ended_total{tool="look-up",end="denied"} 1',
    ]);
  });

  it('refuses every state that is not this one of this call, and leaves the run unharmed (40)', async () => {
    gateway = await audited(asking());
    const round = await ask(gateway, ONE);
    const state = stateOf(round);
    const bytes = Buffer.from(state, 'base64url');
    const flipped = [...bytes].map((byte, index) => {
      const other = Buffer.from(bytes);
      other[index] = byte ^ 1;
      return other.toString('base64url');
    });
    for (const wrong of [...flipped, `${state}A`, `${state}=`, state.slice(1), '', 'x', state.toUpperCase()]) {
      const { status, error } = await ask(gateway, ONE, { more: { ...answers(round), requestState: wrong } });
      expect([status, error?.code, error?.data?.reason], wrong).to.deep.equal([200, -32_602, 'state_invalid']);
    }
    const elsewhere = [
      await ask(gateway, `${ONE} `, { more: answers(round) }),
      await ask(gateway, ONE, { more: answers(round), tool: 'echo' }),
      await ask(gateway, ONE, { more: answers(round), meta: {} }),
    ];
    for (const { error } of elsewhere) expect(error?.data?.reason).to.equal('state_invalid');
    for (const more of [{ requestState: 1 }, { inputResponses: [] }, { inputResponses: null }])
      expect((await ask(gateway, ONE, { more })).error?.data?.reason).to.equal('arguments');
    expect(valueOf(await ask(gateway, ONE, { more: answers(round) }))).to.equal('');
    expect(calls(gateway)).to.equal(1);
    // What was used and whose run is over is nothing any more.
    expect((await ask(gateway, ONE, { more: answers(round) })).error?.data?.reason).to.equal('state_invalid');
  });

  it('asks again for what is missing, joins two retries, and decides nothing twice (41, 42)', async () => {
    gateway = await audited(asking({}, { max_active_provider_calls: 2, max_waiting_provider_calls: 8 }));
    const round = await ask(gateway, many(2));
    const [first = '', second = ''] = requestsOf(round);
    const partly = await ask(gateway, many(2), {
      more: { requestState: stateOf(round), inputResponses: { [first]: accept('deny'), unknown: {} } },
    });
    expect(requestsOf(partly)).to.deep.equal([second]);
    const ends = await Promise.all([
      ask(gateway, many(2), { more: answers(partly), id: 'a' }),
      ask(gateway, many(2), { more: answers(partly), id: 'b' }),
      // The first question was denied before: that stays.
      ask(gateway, many(2), { more: answers(round), id: 'c' }),
    ]);
    for (const end of ends) expect(valueOf(end)).to.equal(valueOf(ends[0] ?? end));
    expect(calls(gateway)).to.equal(1);
    expect(auditOf(gateway.directory)).to.have.length(2);
    expect(auditOf(gateway.directory)[1]).to.deep.include({ approvals: { allowed: 1, denied: 1, expired: 0 } });
  });

  it('cancels a run whose client does not come back in time (43)', async () => {
    gateway = await audited(asking({ timeout_ms: 1000 }));
    const round = await ask(gateway, ONE);
    const records = await until('it is over', () => {
      const all = auditOf(gateway.directory);
      return all.length === 2 ? all : undefined;
    });
    expect(records[1]).to.deep.include({
      outcome_code: 'cancelled',
      disconnected: true,
      approvals: { allowed: 0, denied: 0, expired: 1 },
    });
    expect((await ask(gateway, ONE, { more: answers(round) })).error?.data?.reason).to.equal('state_invalid');
    expect(calls(gateway)).to.equal(0);
  });

  it('takes an abort of a retry for the end of the call (44)', async () => {
    gateway = await audited(asking({}, { max_active_provider_calls: 1, max_waiting_provider_calls: 0 }));
    const program = `(do (tool/look-up {:city "Oslo"}) (loop [n 0] (recur (inc n))))`;
    const round = await ask(gateway, program);
    const leave = new AbortController();
    const retry = ask(gateway, program, { more: answers(round), signal: leave.signal }).catch(() => 'left');
    await until('the call was made', () => (calls(gateway) === 1 ? true : undefined));
    leave.abort();
    expect(await retry).to.equal('left');
    const records = await until('it is over', () => {
      const all = auditOf(gateway.directory);
      return all.length === 2 ? all : undefined;
    });
    expect(records[1]).to.deep.include({ outcome_code: 'cancelled', disconnected: true });
  });

  it('asks about all branches of a pmap in one round', async () => {
    gateway = await audited(asking());
    const round = await ask(gateway, many(4));
    expect(requestsOf(round)).to.have.length(4);
    const end = await ask(gateway, many(4), { more: answers(round, { action: 'decline' }) });
    expect(valueOf(end)).to.equal(`[${Array(4).fill(':approval_denied').join(' ')}]`);
  });

  const untilAborted = {
    'before it asks': '(do (loop [n 0] (recur (inc n))) (tool/look-up {:city "Oslo"}))',
    'while another branch may ask too':
      '(pcalls (fn [] (tool/look-up {:city "Oslo"})) (fn [] (loop [n 0] (recur (inc n)))))',
  };
  for (const [when, program] of Object.entries(untilAborted))
    it(`takes an abort of the first request for the end of the call: ${when} (44)`, async () => {
      gateway = await audited(asking());
      const leave = new AbortController();
      const first = ask(gateway, program, { signal: leave.signal }).catch(() => 'left');
      await until('it runs', () => (auditOf(gateway.directory).length === 1 ? true : undefined));
      leave.abort();
      expect(await first).to.equal('left');
      const [, outcome] = await until('it is over', () => {
        const all = auditOf(gateway.directory);
        return all.length === 2 ? all : undefined;
      });
      expect(outcome).to.deep.include({ outcome_code: 'cancelled', disconnected: true });
      expect(outcome).not.to.have.property('approvals');
      expect(calls(gateway)).to.equal(0);
      // Its place, and that among those that wait, are free again.
      expect(requestsOf(await ask(gateway, ONE))).to.have.length(1);
    });

  it('has so many runs that wait, and refuses what would ask beyond them (46)', async () => {
    gateway = await audited(asking(), ['--max-waiting-runs', '1']);
    const round = await ask(gateway, ONE);
    const refused = await ask(gateway, ONE);
    expect([refused.status, refused.error?.data?.reason]).to.deep.equal([429, 'run_capacity_exhausted']);
    // What asks nobody runs beside it.
    expect(valueOf(await ask(gateway, 'here', { tool: 'echo' }))).to.equal('here');
    expect(valueOf(await ask(gateway, ONE, { more: answers(round) }))).to.equal('');
    expect(requestsOf(await ask(gateway, ONE))).to.have.length(1);
  });

  it('gives the place of a run that waits to others after `hold_ms`, and takes one again before it goes on (46)', async () => {
    gateway = await audited(asking({ hold_ms: 0 }, { max_concurrent_runs: 1 }));
    const rounds: Answered[] = [];
    for (let index = 0; index < 3; index += 1) {
      const round = await until('a place is free', async () => {
        const answered = await ask(gateway, ONE);
        return answered.status === 429 ? undefined : answered;
      });
      expect(requestsOf(round)).to.have.length(1);
      rounds.push(round);
    }
    const other = await until('a place is free', async () => {
      const answered = await ask(gateway, 'here', { tool: 'echo' });
      return answered.status === 429 ? undefined : answered;
    });
    expect(valueOf(other)).to.equal('here');
    // All come back together, and wait for the one place in turn.
    const ends = await Promise.all(rounds.map((round, id) => ask(gateway, ONE, { more: answers(round), id })));
    expect(ends.map(valueOf)).to.deep.equal(['', '', '']);
    expect(calls(gateway)).to.equal(3);
  });

  it('ends runs that wait when it is stopped, and records them', async () => {
    gateway = await audited(asking());
    await ask(gateway, ONE);
    const started = performance.now();
    let records: readonly Result[] = [];
    const { status } = await gateway.stop((directory) => {
      records = auditOf(directory);
    });
    expect(status).to.equal(0);
    expect(performance.now() - started).to.be.below(9000);
    expect(records[1]).to.deep.include({ outcome_code: 'cancelled' });
    gateway = await audited(asking());
  });

  it('opens states of no gateway before it, and refuses a key that is none (40)', async () => {
    gateway = await audited(asking(), [], { SVC_GATEWAY_STATE_KEY: 'ab'.repeat(32) });
    const round = await ask(gateway, ONE);
    await gateway.stop();
    let started: unknown = null;
    gateway = await audited(asking(), [], { SVC_GATEWAY_STATE_KEY: 'ab'.repeat(32) });
    expect((await ask(gateway, ONE, { more: answers(round) })).error?.data?.reason).to.equal('state_invalid');
    try {
      await audited(asking(), [], { SVC_GATEWAY_STATE_KEY: 'short' });
    } catch (error) {
      started = error;
    }
    expect(String(started)).to.include('credential_unavailable').and.include('SVC_GATEWAY_STATE_KEY');
  });

  it('asks through the official client', async () => {
    gateway = await audited(asking());
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: {} } },
    );
    const messages: string[] = [];
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      messages.push(params.message);
      return { action: 'accept', content: { decision: 'allow once' } };
    });
    await client.connect(
      new StreamableHTTPClientTransport(gateway.url, {
        requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
      }),
    );
    const result = await client.callTool({ name: 'act', arguments: { value: ONE } });
    expect(result.structuredContent).to.deep.equal({ value: '' });
    expect(messages).to.have.length(1);
    expect(messages[0]).to.include('look-up').and.include('Oslo');
    expect(calls(gateway)).to.equal(1);
    await client.close();
  });
});

describe('programs of a gateway that ask the person behind its client (approvals.md §6)', () => {
  it('ask in rounds, and go on in their session', async () => {
    const port = await freePort();
    const gateway = await audited(asking(), ['--code', 'act', '--metrics', String(port)]);
    const evaluate = async (input: object, more: object = {}, meta: object = ELICITS): Promise<Answered> =>
      read(await fetch(gateway.url, modern('tools/call', { name: 'act.run', arguments: input, ...more }, { meta })));
    const program = { program: '(def a 1) (:reason (tool/look-up {:city "Oslo"}))' };
    const round = await evaluate(program);
    expect(round.result).to.include({ resultType: 'input_required' });
    expect(round.result).not.to.have.property('isError');
    const wrong = await evaluate({ program: '1' }, answers(round));
    expect(wrong.error?.data?.reason).to.equal('state_invalid');
    const end = await evaluate(program, answers(round, accept('allow this tool')));
    expect(valueOf(end)).to.equal(null);
    const session = Object(end.result?.['structuredContent'])['session'];
    // The yes was for the session.
    expect(valueOf(await evaluate({ ...program, session }))).to.equal(null);
    expect(calls(gateway)).to.equal(2);
    const unasked = await evaluate({ program: program.program }, {}, {});
    expect(valueOf(unasked)).to.equal('approval_unavailable');
    expect(JSON.stringify(unasked.result?.['content'])).to.include('client_without_elicitation');
    const records = auditOf(gateway.directory);
    expect(records.filter(({ record }) => record === 'intent')).to.have.length(3);
    expect(records.find(({ approvals }) => approvals !== undefined)).to.deep.include({
      approvals: { allowed: 1, denied: 0, expired: 0 },
    });
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
      .to.include('svc_gateway_approvals_asked_total{tool="look-up"} 1')
      .and.include('svc_gateway_approvals_ended_total{tool="look-up",end="allowed"} 1');
    await gateway.stop();
  });
});
