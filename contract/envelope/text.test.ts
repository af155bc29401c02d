import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson } from '../json/canonical.ts';
import { jsonFromPlain } from '../json/plain.ts';
import type { JsonValue } from '../json/value.ts';
import { diagnostic } from '../diagnostics/diagnostic.ts';
import { commandFailure, runSuccess } from './build.ts';
import { finishedOk } from './execution.ts';
import { envelopeText } from './text.ts';
import { emptyEvaluationMemory, emptyUsage } from './testing/empty-usage.ts';

const REFERENCE = 'cmd-00000000000000000000000000';

function success(value: JsonValue): ReturnType<typeof runSuccess> {
  return runSuccess({
    runReference: REFERENCE,
    warnings: [],
    execution: finishedOk({
      usage: emptyUsage({ remainingMs: 1, totalTokens: null, costMicrousd: null }),
      evaluationMemory: emptyEvaluationMemory(),
    }),
    artifactClass: 'normal',
    artifactState: { trace: 'not_requested', inspection: 'not_requested', result: 'written' },
    value,
  });
}

describe('the text of an envelope', () => {
  it('is the same with the text of its value and without it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (plain) => {
        const value = jsonFromPlain(plain);
        if (value === undefined) return;
        const text = envelopeText(success(value));
        expect(envelopeText(success(value), canonicalJson(value))).to.equal(text);
        expect(JSON.parse(text))
          .to.have.nested.property('result.value')
          .that.deep.equals(JSON.parse(JSON.stringify(plain)));
      }),
    );
  });

  it('takes the text of a value as it is, and reads no value for it', () => {
    expect(envelopeText(success(null), '[1,2]')).to.include('"result":{"result_class":"normal","value":[1,2]}');
  });

  it('has no place for a value in an envelope without one', () => {
    const failure = commandFailure('unknown', REFERENCE, diagnostic('invalid_command'));
    expect(envelopeText(failure, '1')).to.equal(envelopeText(failure));
  });
});
