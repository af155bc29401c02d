import { expect } from 'chai';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import type { ModelAction } from '../servers/llm/script.ts';
import { until } from '../until.ts';
import { ModelRoom, type ModelApplication, type ModelReport } from './room.ts';

/** A workflow that a failure of its model ends, with the code of that failure. */
/** Without the mode, a model that refuses the tool is asked once more without it (world.md §3.6). */
const AGENT: ModelApplication = {
  manifest: {
    workflow: {
      components: [{ library: 'agent.core' }, { id: 'main', path: 'main.clj', dependencies: ['agent.core'] }],
      entry: 'main/run',
    },
    missions: { default: {} },
  },
  files: { 'main.clj': '(ns main) (defn run [input] (agent.core/run "Work." {"mode" "tools"}))' },
};

const said = (status: number): ModelAction => ({
  status,
  headers: { location: '/elsewhere' },
  body: { error: { message: 'planted-words of the vendor' } },
});

/** providers.md §5.6; the message is the code's own, and may be retried where the code says so (interface.md §2.5). */
const TABLE: readonly (readonly [what: string, action: ModelAction, code: string, retryable: boolean])[] = [
  ['401', said(401), 'llm_authentication_failed', false],
  ['402', said(402), 'llm_payment_required', false],
  ['403', said(403), 'llm_access_denied', false],
  ['404', said(404), 'llm_model_not_found', false],
  [
    '404 for want of tools',
    { status: 404, body: { error: { message: 'No endpoints found that support tool use' } } },
    'llm_tool_calling_unsupported',
    false,
  ],
  ['408', said(408), 'llm_timeout', true],
  ['429', said(429), 'llm_rate_limited', true],
  ['409', said(409), 'llm_provider_unavailable', true],
  ['425', said(425), 'llm_provider_unavailable', true],
  ['400', said(400), 'llm_request_invalid', false],
  ['500', said(500), 'llm_provider_unavailable', true],
  ['503', said(503), 'llm_provider_unavailable', true],
  ['a redirect', said(307), 'llm_provider_failed', false],
  ['a reset', { fault: 'reset' }, 'llm_provider_unavailable', true],
  ['a connection that is closed', { fault: 'half_closed' }, 'llm_provider_unavailable', true],
  ['no HTTP', { fault: 'garbage' }, 'llm_provider_failed', false],
  ['no JSON', { fault: 'not_json' }, 'llm_provider_failed', false],
  ['more than 4 MiB', { fault: 'huge' }, 'llm_provider_failed', false],
  ['a body without end', { fault: 'endless' }, 'llm_provider_failed', false],
  ['no usage, where it is promised', { answer: { text: 'x', usage: null } }, 'llm_usage_unavailable', false],
  ['counts that are none', { answer: { text: 'x', usage: { input: '7', output: 1 } } }, 'llm_request_invalid', false],
];

describe('failures of models that end a run (providers.md §5.6)', () => {
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
  });
  afterEach(async () => room.close());

  const usageRow = ({ envelope }: ModelReport): unknown => {
    const { execution }: { readonly execution?: { readonly usage?: { readonly llm_usage?: readonly unknown[] } } } =
      envelope;
    return execution?.usage?.llm_usage?.[0];
  };

  const guaranteed = () => ({ small: room.model({ usage_guarantees: { tokens: true, cost_currency: null } }) });

  for (const [what, action, code, retryable] of TABLE) {
    it(`${what}: ${code}`, async () => {
      await room.serve([{ times: 'any', action }]);
      const report = await room.run({ ...AGENT, install: guaranteed() });
      expect(report.status).to.equal(5);
      expect(report.envelope['error']).to.deep.include({
        phase: 'execution',
        code,
        subject: null,
        path: null,
        notes: [],
        retryable,
        provider_activity: true,
      });
      expect(usageRow(report)).to.deep.include({
        alias: 'small',
        calls: room.server.requests.length,
        successful_calls: 0,
        // What a vendor refuses by a status costs nothing.
        missing_usage_calls: 'status' in action ? 0 : room.server.requests.length,
      });
      expect(room.server.requests, 'one request for each call').to.have.length(1);
      expect(JSON.stringify(report.envelope)).not.to.include('planted-words');
      // What the vendor said is for the person alone, below the failure line (world.md §1.5).
      if (JSON.stringify(action).includes('planted-words'))
        expect(report.stderr).to.match(/^provider small: HTTP \d{3}: planted-words of the vendor$/m);
    });
  }

  for (const [what, action] of [
    ['is never answered', { fault: 'silent' }],
    ['is answered too slowly', { fault: 'slow' }],
  ] as const) {
    it(`a call that ${what}: llm_timeout, and its socket is closed`, async () => {
      await room.serve([{ times: 'any', action }]);
      const report = await room.run({ ...AGENT, limits: { llm_request_timeout_ms: 300 } });
      expect(report.status).to.equal(5);
      expect(report.envelope['error']).to.deep.include({
        code: 'llm_timeout',
        subject: null,
        retryable: true,
        provider_activity: true,
      });
      expect(usageRow(report)).to.deep.include({ calls: 1, missing_usage_calls: 1 });
      await until('the end of the socket', () => (room.server.openConnections() === 0 ? true : undefined));
    });
  }

  it('a server that nobody reaches, by a name that means nothing: llm_provider_failed, and nothing is charged', async () => {
    const report = await room.run({
      ...AGENT,
      install: { small: room.model({ model: 'openai-compat:https://nobody.invalid/v1|m' }) },
    });
    expect(report.status).to.equal(5);
    expect(report.envelope['error']).to.deep.include({ code: 'llm_provider_failed', retryable: false });
    expect(usageRow(report)).to.deep.include({ calls: 1, missing_usage_calls: 0 });
  });

  it('a server that never finishes its handshake: the call ends in its time, and was not sent', async () => {
    const accepted = new Set<Socket>();
    const mute = createServer((socket) => {
      accepted.add(
        socket
          .on('error', () => undefined)
          .on('close', () => accepted.delete(socket))
          .resume(),
      );
    }).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const address = mute.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const report = await room.run({
      ...AGENT,
      install: { small: room.model({ model: `openai-compat:https://localhost:${port}/v1|m` }) },
      limits: { llm_request_timeout_ms: 300 },
    });
    expect(report.envelope).to.have.nested.property('error.code', 'llm_timeout');
    await until('the end of the socket', () => (accepted.size === 0 ? true : undefined));
    mute.close();
  });
});
