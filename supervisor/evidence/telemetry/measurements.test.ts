import { expect } from 'chai';
import { METRICS, measurementsOf } from './measurements.ts';
import type { Attributes, RunSpan } from './spans.ts';

const span = (attributes: Attributes, { start = 1000, end = 1500, name = 'chat small' } = {}): RunSpan => ({
  id: 'a',
  parent: null,
  name,
  kind: 'client',
  start,
  end,
  isError: false,
  attributes,
  caller: null,
  events: [],
});
const CHAT = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'small',
  'svc.installation.revision': 'r1',
} as const;
const SHOWN = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'small' } as const;

describe('measurements of a run (evidence.md §13)', () => {
  it('are the seconds of each call of a model and its tokens by type', () => {
    expect(
      measurementsOf([span({ ...CHAT, 'gen_ai.usage.input_tokens': 3, 'gen_ai.usage.output_tokens': 0 })]),
    ).to.deep.equal([
      { metric: 'gen_ai.client.operation.duration', value: 0.5, attributes: SHOWN },
      { metric: 'gen_ai.client.token.usage', value: 3, attributes: { ...SHOWN, 'gen_ai.token.type': 'input' } },
      { metric: 'gen_ai.client.token.usage', value: 0, attributes: { ...SHOWN, 'gen_ai.token.type': 'output' } },
    ]);
  });

  it('name why a call failed, and have no tokens of one that told none', () => {
    expect(measurementsOf([span({ ...CHAT, 'error.type': 'rate_limited' })])).to.deep.equal([
      {
        metric: 'gen_ai.client.operation.duration',
        value: 0.5,
        attributes: { ...SHOWN, 'error.type': 'rate_limited' },
      },
    ]);
  });

  it('leave out what did not end, and what is no call of a model', () => {
    expect(
      measurementsOf([
        span({ ...CHAT, 'svc.incomplete': true }),
        span({ 'gen_ai.operation.name': 'execute_tool' }),
        span({}),
      ]),
    ).to.deep.equal([]);
  });

  it('have no time before nothing, where a clock was set back', () => {
    expect(measurementsOf([span(CHAT, { start: 10, end: 9 })]).map(({ value }) => value)).to.deep.equal([0]);
  });

  it('are the seconds that each question to a person waited, by tool and answer (approvals.md §10)', () => {
    const requested = { 'svc.approval.tool': 'tickets.close', 'svc.approval.effect': 'write' };
    const answered = { ...requested, 'svc.approval.decision': 'denied', 'svc.approval.by': 'cli' };
    expect(
      measurementsOf([
        span({ ...answered, 'svc.approval.scope': 'once' }, { end: 4000 }),
        span({ ...requested, 'svc.incomplete': true }),
      ]),
    ).to.deep.equal([
      {
        metric: 'svc.approval.wait',
        value: 3,
        attributes: {
          'svc.approval.tool': 'tickets.close',
          'svc.approval.decision': 'denied',
          'svc.approval.by': 'cli',
        },
      },
    ]);
  });

  it('fall into the buckets of the conventions', () => {
    expect(METRICS['gen_ai.client.token.usage'].bounds).to.deep.equal([
      1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
    ]);
    expect(METRICS['gen_ai.client.operation.duration'].bounds).to.deep.equal([
      0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
    ]);
  });
});
