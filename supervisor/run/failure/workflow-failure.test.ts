import { expect } from 'chai';
import type { EvaluationFault } from '../../../contract/sandbox-protocol.ts';
import { describeFailedValue } from './failed-value.ts';
import { workflowFailure, type FailureContext } from './workflow-failure.ts';

const CONTEXT: FailureContext = { artifactClass: 'normal', inspection: null, heapWords: 8, loopIterations: 5 };

function evaluationError(reason: string, publicError: EvaluationFault['public_error'] = null) {
  const fault: EvaluationFault = {
    reason,
    message: 'm',
    span: null,
    details: {},
    exception_class: null,
    public_error: publicError,
  };
  return workflowFailure({ kind: 'evaluation_error', fault }, null, CONTEXT);
}

async function failedWith(json: string | null, context: FailureContext) {
  const end = { kind: 'failed', json } as const;
  return workflowFailure(end, await describeFailedValue(end, 100), context);
}

describe('what an end of the workflow means (runtime.md §9, language.md §17)', () => {
  it('shows what may be shown of an error, and nothing else', () => {
    expect(evaluationError('type_error', { kind: 'type_error', message: 'text' }).lastEvaluationError).to.deep.equal({
      kind: 'type_error',
      message: 'text',
    });
    expect(evaluationError('type_error', { kind: 'user_exception', message: 'text' }).lastEvaluationError).to.equal(
      null,
    );
  });

  it('a reason that is no word of the language is not repeated', () => {
    expect(evaluationError('secret: 42').error.message).to.equal('the workflow ended with an evaluation error');
  });

  it('a private run is told nothing of an error but that there was one (runtime.md §13)', () => {
    const fault: EvaluationFault = {
      reason: 'loop_limit_exceeded',
      message: 'm',
      span: null,
      details: {},
      exception_class: null,
      public_error: null,
    };
    const { error, limit } = workflowFailure({ kind: 'evaluation_error', fault }, null, {
      ...CONTEXT,
      artifactClass: 'private',
    });
    expect([error.code, error.message]).to.deep.equal(['workflow_failed', 'the workflow failed']);
    expect(limit).to.have.property('limit', 'workflow_loop_iterations');
  });

  it('a loop limit is told with its value', () => {
    expect(evaluationError('loop_limit_exceeded').limit).to.deep.equal({
      reason: 'loop_limit_exceeded',
      environment: 'workflow',
      limit: 'workflow_loop_iterations',
      limit_value: 5,
    });
  });

  const outcomes: readonly (readonly [string, string | null, FailureContext['inspection'], string])[] = [
    ['no inspection', '1', null, 'no inspection artifact was requested'],
    ['kept', '1', 'kept', 'kept in the inspection artifact'],
    ['not written', '1', 'not_written', 'the inspection artifact was not written'],
    ['too large', `"${'x'.repeat(99)}"`, 'not_written', 'larger than terminal_result_bytes'],
    ['without JSON form', null, 'not_written', 'not representable as JSON'],
  ];
  for (const [what, json, inspection, text] of outcomes) {
    it(`a failure's value: ${what}`, async () => {
      expect((await failedWith(json, { ...CONTEXT, inspection })).error.message).to.include(text);
    });
  }

  it('a failure kind is taken from a map only, and only a string', async () => {
    const kindOf = async (json: string | null) => (await failedWith(json, CONTEXT)).failureKind;
    expect(await kindOf('{"kind":"verification_failed"}')).to.deep.equal({ failure_kind: 'verification-failed' });
    expect(await kindOf('{"kind":"other"}'))
      .to.have.property('failure_kind_fingerprint')
      .that.matches(/^sha256:[0-9a-f]{64}$/);
    for (const json of ['{"kind":7}', '"turn-limit"', '[]', '{}', '{"kind":""}', `{"kind":"${'x'.repeat(257)}"}`, null])
      expect(await kindOf(json)).to.deep.equal({});
  });
});
