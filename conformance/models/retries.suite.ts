import { expect } from 'chai';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelAction } from '../servers/llm/script.ts';
import { ModelRoom } from './room.ts';

const WELL: ModelAction = { answer: { text: 'well', usage: { input: 3, output: 2 } } };
const slowDown = (headers: Readonly<Record<string, string>> = { 'retry-after-ms': '5' }): ModelAction => ({
  status: 429,
  headers,
  body: { error: { message: 'slow down' } },
});

describe('calls of models that are tried again (world.md §1.4)', () => {
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
  });
  afterEach(async () => room.close());

  const standard = () => ({ small: room.model({ retry: {} }) });

  it('429 twice, then an answer: the program sees the answer, and the trace the attempts', async () => {
    await room.serve([{ times: 2, action: slowDown() }, { action: WELL }]);
    await mkdir(join(room.directory, 'traces'));
    const report = await room.run({ install: standard(), options: ['--trace-dir', 'traces'] });
    expect(report.status).to.equal(0);
    expect(report.value).to.have.nested.property('value.content', 'well');
    expect(room.server.requests).to.have.length(3);
    const [name = ''] = await readdir(join(room.directory, 'traces'));
    const stopped = (await room.file(join('traces', name)))
      .split('\n')
      .find((line) => line.includes('"capability-stopped"'));
    expect(JSON.parse(stopped ?? '{}'))
      .to.have.property('data')
      .that.deep.includes({ attempts: 3, status: 'ok' })
      .and.has.property('waits_ms')
      .that.has.length(2);
  });

  for (const [what, action] of [
    ['529', { status: 529, headers: { 'retry-after': '0' } }],
    ['503', { status: 503, headers: { 'retry-after': '0' } }],
    ['a connection that breaks before a status', { fault: 'reset' }],
    ['a date that is over', slowDown({ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })],
    ['a wait below nothing', slowDown({ 'retry-after': '-5' })],
    ['a wait of years, which nobody means', slowDown({ 'retry-after': '99999999' })],
    ['a 429 that breaks within its body', { ...slowDown(), delivery: { cutAfter: 5 } }],
  ] as const) {
    it(`${what}, then an answer`, async () => {
      await room.serve([{ action }, { action: WELL }]);
      const report = await room.run({ install: standard() });
      expect(report.value).to.have.nested.property('value.content', 'well');
      expect(room.server.requests).to.have.length(2);
    });
  }

  for (const [what, action, reason] of [
    ['400', { status: 400, body: {} }, 'invalid_request'],
    ['409', { status: 409, body: {} }, 'invalid_request'],
    ['a 200 that breaks within its body', { answer: { text: 'x' }, delivery: { cutAfter: 20 } }, 'transport_error'],
    ['a 200 that is no JSON', { fault: 'not_json' }, 'invalid_result'],
    ['a 429 within a 200', { status: 200, body: { error: { code: 429, message: 'slow down' } } }, 'rate_limited'],
    [
      'a quota that is spent',
      { status: 429, headers: { 'retry-after-ms': '1' }, body: { error: { code: 'insufficient_quota' } } },
      'payment_required',
    ],
  ] as const satisfies readonly (readonly [string, ModelAction, string])[]) {
    it(`${what} is final`, async () => {
      await room.serve([{ times: 'any', action }]);
      const report = await room.run({ install: standard() });
      expect(report.value).to.include({ reason });
      expect(room.server.requests).to.have.length(1);
    });
  }

  it('a wait that is longer than allowed is told and not begun', async () => {
    await room.serve([{ times: 'any', action: slowDown({ 'retry-after': '3600' }) }]);
    const report = await room.run({ install: standard() });
    expect(report.value).to.deep.include({ reason: 'rate_limited', 'retryable?': true, retry_after_ms: 3_600_000 });
    expect(room.server.requests).to.have.length(1);
  });

  it('a wait that is longer than the deadline of the call is told and not begun', async () => {
    await room.serve([{ times: 'any', action: slowDown({ 'retry-after': '20' }) }]);
    const ceilings = { request_timeout_ms: 15_000 };
    const report = await room.run({ install: { small: room.model({ retry: {}, ceilings }) } });
    expect(report.value).to.deep.include({ reason: 'rate_limited', retry_after_ms: 20_000 });
    expect(room.server.requests).to.have.length(1);
  });

  it('attempts that were refused cost nothing, and one that was lost all that was reserved', async () => {
    const limits = { llm_total_tokens: 100_000 };
    const used = async (first: ModelAction): Promise<unknown> => {
      await room.serve([{ action: first }, { action: WELL }]);
      const install = {
        small: room.model({ retry: {}, usage_guarantees: { tokens: true, cost_currency: null } }),
      };
      const { envelope } = await room.run({ install, hostLimits: limits, limits });
      const { execution }: { readonly execution?: { readonly usage?: { readonly llm_budget?: unknown } } } = envelope;
      return execution?.usage?.llm_budget;
    };
    expect(await used(slowDown())).to.have.nested.property('total_tokens.charged', 5);
    expect(await used({ fault: 'reset' })).to.have.nested.property('total_tokens.state', 'incomplete');
  });
});
