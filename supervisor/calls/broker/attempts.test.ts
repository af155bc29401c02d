import { expect } from 'chai';
import type { Attempt } from '../../../contract/provider-protocol/call.ts';
import { attemptFacts, attemptRecords, chargedFor } from './attempts.ts';

const attempt = (charge: Attempt['charge'], said: string | null = null, waitedMs = 0): Attempt => ({
  outcome: charge === 'reported' ? 'ok' : 'unavailable',
  status: charge === 'none' ? 503 : null,
  said,
  waitedMs,
  charge,
});
const REPORTED = { tokens: 5, costMicrousd: 7 };
const UNKNOWN = { tokens: null, costMicrousd: null };

describe('the attempts of a call (world.md §1.4)', () => {
  const rows: readonly (readonly [string, readonly Attempt[], object | string])[] = [
    ['a provider that counts none', [], REPORTED],
    ['an answer', [attempt('reported')], REPORTED],
    ['refusals, then an answer', [attempt('none'), attempt('none'), attempt('reported')], REPORTED],
    ['refusals alone cost nothing', [attempt('none'), attempt('none')], 'undispatched'],
    ['one that was lost is charged whole', [attempt('none'), attempt('reserved')], UNKNOWN],
    ['also where the next was answered', [attempt('reserved'), attempt('reported')], UNKNOWN],
    ['and where the next was refused', [attempt('reserved'), attempt('none')], UNKNOWN],
  ];
  for (const [title, attempts, charged] of rows) {
    it(title, () => {
      expect(chargedFor(attempts, REPORTED)).to.deep.equal(charged);
    });
  }

  it('are in the trace by count and waits once there are several', () => {
    expect(attemptFacts([attempt('reported')])).to.deep.equal({});
    expect(attemptFacts([attempt('none'), attempt('none', null, 250), attempt('reported', null, 1200)])).to.deep.equal({
      attempts: 3,
      waits_ms: [250, 1200],
    });
  });

  it('are in inspection, each with what was said of it', () => {
    const call = { capabilityId: 'capability-1', mission: null, name: 'llm-request' };
    expect(attemptRecords(call, [attempt('reported')])).to.deep.equal([]);
    const records = attemptRecords(call, [attempt('none', 'HTTP 503: busy'), attempt('reported', null, 250)]);
    expect(records.map(({ type, payload }) => [type, Object.fromEntries(payload.value)])).to.deep.equal([
      [
        'capability-attempt',
        {
          environment: 'workflow',
          name: 'llm-request',
          attempt: 1,
          outcome: 'unavailable',
          waited_ms: 0,
          http_status: 503,
          said: 'HTTP 503: busy',
        },
      ],
      [
        'capability-attempt',
        { environment: 'workflow', name: 'llm-request', attempt: 2, outcome: 'ok', waited_ms: 250 },
      ],
    ]);
  });
});
