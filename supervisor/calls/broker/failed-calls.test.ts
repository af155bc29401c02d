import { expect } from 'chai';
import type { Attempt } from '../../../contract/provider-protocol/call.ts';
import type { CallDeadline } from './call-deadline.ts';
import { errorAnswer } from './envelope.ts';
import { failedCalls, wordsOf, type FailedCall } from './failed-calls.ts';

function failed(reason: string, said: string | null, more: Partial<FailedCall> = {}): FailedCall {
  const answer = errorAnswer('provider_error', reason, { model: 'small' });
  if (answer.kind !== 'error') throw new Error('this is an error');
  const { error, envelope } = answer;
  return {
    name: 'llm-request',
    isModel: true,
    alias: 'small',
    error,
    envelope,
    words: said === null ? null : { said },
    ...more,
  };
}

describe('what people are told of calls that failed (world.md §1.5)', () => {
  it('counts them by capability and model, with each reason once', () => {
    const calls = failedCalls();
    for (const reason of ['transport_error', 'rate_limited', 'transport_error']) calls.remember(failed(reason, null));
    calls.remember(failed('domain_error', null, { name: 'find', isModel: false, alias: 'files' }));
    expect(calls.counts()).to.deep.equal([
      {
        name: 'llm-request',
        alias: 'small',
        count: 3,
        reasons: ['provider_error/rate_limited', 'provider_error/transport_error'],
      },
      { name: 'find', alias: null, count: 1, reasons: ['provider_error/domain_error'] },
    ]);
  });

  it('knows no words before any call failed', () => {
    expect(failedCalls().last()).to.equal(null);
  });

  it('finds the words of the failure that a value holds, and of the last model', () => {
    const calls = failedCalls();
    const [first, second] = [failed('denied', 'HTTP 403: no'), failed('not_found', 'HTTP 404: none')];
    calls.remember(first);
    calls.remember(second);
    expect(calls.lastOfModels()).to.deep.equal({ alias: 'small', said: 'HTTP 404: none' });
    expect(calls.last()).to.deep.equal({ alias: 'small', said: 'HTTP 404: none' });
    calls.remember(failed('domain_error', 'no such file', { name: 'find', isModel: false, alias: 'files' }));
    calls.remember(failed('unavailable', null));
    expect(calls.lastOfModels()).to.deep.equal({ alias: 'small', said: 'HTTP 404: none' });
    expect(calls.last()).to.deep.equal({ alias: 'files', said: 'no such file' });
    expect(calls.within(first.envelope.value)).to.deep.equal({ alias: 'small', said: 'HTTP 403: no' });
    expect(calls.within(new Map([['error', [second.envelope.value]]]))).to.deep.equal({
      alias: 'small',
      said: 'HTTP 404: none',
    });
    expect(calls.within('something else')).to.equal(null);
  });

  const attempt: Attempt = { outcome: 'unavailable', status: 503, said: 'HTTP 503: busy', waitedMs: 0, charge: 'none' };
  const rows: readonly (readonly [string, CallDeadline['bound'], boolean, boolean, string | null])[] = [
    ['the words of the last attempt', 'installation', false, true, 'HTTP 503: busy'],
    ['the time of a model', 'installation', true, true, 'no answer within 2000 ms (request_timeout_ms)'],
    ['the time of a tool', 'installation', true, false, 'no answer within 2000 ms (timeout_ms)'],
    [
      'the time that the host gives all models',
      'llm_request_timeout_ms',
      true,
      true,
      'no answer within 2000 ms (llm_request_timeout_ms)',
    ],
    ['nothing of the end of its run', 'run', true, true, null],
    ['nothing of the end of its caller', 'caller', true, true, null],
  ];
  for (const [title, bound, isLate, isModel, words] of rows) {
    it(`tells ${title}`, () => {
      const { error } = failed('unavailable', null);
      const said = wordsOf([attempt], { error, deadline: { bound, limitMs: 2000 }, isLate, isModel });
      expect(said?.said ?? null).to.equal(words);
      const setting = /\((.*)\)$/.exec(words ?? '')?.[1];
      expect(said?.late).to.deep.equal(setting === undefined ? undefined : { setting, ms: 2000 });
    });
  }
});
