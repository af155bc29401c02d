import { expect } from 'chai';
import { diagnostic, fixedSource, providerSubject } from '../diagnostics/diagnostic.ts';
import {
  commandFailure,
  commandSuccess,
  doctorFailure,
  isUnclassified,
  modelUncataloged,
  runFailure,
  runSuccess,
  unclassifiedRunFailure,
  type ClassifiedFacts,
} from './build.ts';
import { finishedError, finishedOk, incomplete, notStarted } from './execution.ts';
import { emptyEvaluationMemory, emptyUsage } from './testing/empty-usage.ts';

const REFERENCE = 'cmd-00000000000000000000000000';
const sealed = {
  usage: emptyUsage({ remainingMs: 1, totalTokens: null, costMicrousd: null }),
  evaluationMemory: emptyEvaluationMemory(),
};
const none = { trace: 'not_requested', inspection: 'not_requested', result: 'not_requested' } as const;
const failed = diagnostic('workflow_failed', { providerActivity: true });
const lastEvaluationError = { kind: 'type_error', message: '+ takes numbers' } as const;

function facts(over: Partial<ClassifiedFacts> = {}): ClassifiedFacts {
  return {
    runReference: REFERENCE,
    error: failed,
    secondaryErrors: [],
    warnings: [],
    artifactClass: 'normal',
    artifactState: none,
    execution: finishedError(failed, { ...sealed, lastEvaluationError }),
    ...over,
  };
}

describe('envelope builders', () => {
  it('refuse a run reference of another form', () => {
    expect(() => commandFailure('unknown', 'run-1', diagnostic('invalid_command'))).to.throw(
      TypeError,
      'run reference',
    );
  });

  it('always write both lists', () => {
    expect(commandFailure('unknown', REFERENCE, diagnostic('invalid_command'))).to.include.keys(
      'secondary_errors',
      'warnings',
    );
    expect(
      commandSuccess('init', REFERENCE, {
        created: ['AGENTS.md', '.gitignore', 'main.clj', 'svc.json', 'svc-project.json'],
      }),
    ).to.include.keys('secondary_errors', 'warnings');
  });

  it('leave the value of a private run out', () => {
    const written = { ...none, result: 'written' } as const;
    const success = runSuccess({
      runReference: REFERENCE,
      warnings: [],
      execution: finishedOk(sealed),
      artifactClass: 'private',
      artifactState: written,
    });
    expect(success.result).to.deep.equal({ result_class: 'private' });
  });

  it('tell a value of null from no value', () => {
    const shared = {
      runReference: REFERENCE,
      warnings: [],
      execution: finishedOk(sealed),
      artifactClass: 'normal',
      artifactState: none,
    } as const;
    expect(runSuccess({ ...shared, value: null }).result).to.deep.equal({ result_class: 'normal', value: null });
    expect(runSuccess(shared).result).to.deep.equal({ result_class: 'normal' });
  });

  it('leave the class of a run open when an inert step failed', () => {
    const envelope = runFailure(facts({ error: diagnostic('invalid_arguments'), execution: notStarted() }));
    expect(envelope.artifact_class).to.equal('unclassified');
    expect(isUnclassified(diagnostic('destination_exists'))).to.equal(true);
    expect(isUnclassified(diagnostic('run_timeout'))).to.equal(false);
    expect(isUnclassified(diagnostic('environment_file_not_found'))).to.equal(false);
  });

  it('keep the class of a run whose internal failure came after the beginning', () => {
    const records = incomplete({ usage: null, evaluationMemory: null });
    expect(runFailure(facts({ error: diagnostic('internal_error'), execution: records })).artifact_class).to.equal(
      'normal',
    );
    expect(runFailure(facts({ error: diagnostic('internal_error'), execution: notStarted() })).artifact_class).to.equal(
      'unclassified',
    );
  });

  it('keep the class of a run found wrong after acquisition', () => {
    const error = diagnostic('declared_read_effect_invalid', { providerActivity: true });
    expect(
      runFailure(facts({ error, execution: incomplete({ usage: null, evaluationMemory: null }) })).artifact_class,
    ).to.equal('normal');
    const capacity = diagnostic('limit_capacity_invalid');
    expect(
      runFailure(facts({ error: capacity, execution: notStarted(), artifactClass: 'private' })).artifact_class,
    ).to.equal('private');
  });

  it('never tell the evaluation error of a private run', () => {
    const { execution } = runFailure(facts({ artifactClass: 'private' }));
    expect(execution).to.have.property('last_evaluation_error', null);
  });

  const refused: readonly (readonly [rule: string, build: () => unknown])[] = [
    [
      'a capacity failure after the execution',
      () => runFailure(facts({ error: diagnostic('limit_capacity_invalid') })),
    ],
    [
      'a capacity failure with others',
      () =>
        runFailure(
          facts({ error: diagnostic('limit_capacity_invalid'), execution: notStarted(), secondaryErrors: [failed] }),
        ),
    ],
    [
      'a published file of an unclassified run',
      () =>
        runFailure(
          facts({
            error: diagnostic('invalid_arguments'),
            execution: notStarted(),
            artifactState: { ...none, trace: 'written' },
          }),
        ),
    ],
    [
      'secondary errors of an unclassified run',
      () =>
        runFailure(
          facts({ error: diagnostic('invalid_arguments'), execution: notStarted(), secondaryErrors: [failed] }),
        ),
    ],
    [
      'an unclassified run of another phase',
      () => unclassifiedRunFailure({ runReference: REFERENCE, error: failed, warnings: [], artifactState: none }),
    ],
    ['seven secondary errors', () => runFailure(facts({ secondaryErrors: Array.from({ length: 7 }, () => failed) }))],
    [
      'a recovered result without its diagnostic',
      () => runFailure(facts({ artifactState: { ...none, result: 'recovery_written' } })),
    ],
    [
      'an uncertain result explained by another file',
      () =>
        runFailure(
          facts({
            error: diagnostic('trace_publication_failed'),
            artifactState: { ...none, result: 'finalization_uncertain' },
          }),
        ),
    ],
    [
      'a finished execution with a diagnostic of another phase',
      () => finishedError(diagnostic('result_invalid'), sealed),
    ],
    [
      'an evaluation error without text',
      () => finishedError(failed, { ...sealed, lastEvaluationError: { kind: 'type_error', message: '' } }),
    ],
    [
      'an evaluation error of 1025 characters',
      () =>
        incomplete({
          usage: null,
          evaluationMemory: null,
          lastEvaluationError: { kind: 'type_error', message: 'x'.repeat(1025) },
        }),
    ],
    [
      '129 warnings',
      () => runFailure(facts({ warnings: Array.from({ length: 129 }, () => modelUncataloged('writer', null)) })),
    ],
    ['a warning about nothing installed', () => modelUncataloged('My writer', null)],
    ['a warning with a model without name', () => modelUncataloged('writer', '')],
  ];
  for (const [rule, build] of refused) {
    it(`refuse ${rule}`, () => {
      expect(build).to.throw(TypeError);
    });
  }

  it('refuse seven secondary errors of doctor', () => {
    const error = diagnostic('command_not_found', {
      subject: providerSubject('tools', 'local', { destination: 'mission', index: 0 }),
    });
    const checks = [
      { name: 'runtime', status: 'pass', code: 'supported' },
      { name: 'application', status: 'pass', code: 'valid' },
      { name: 'viewer', status: 'pass', code: 'available' },
      { name: 'provider/tools/local', status: 'fail', code: 'command_not_found' },
    ] as const;
    const result = {
      checks,
      model_aliases: [],
      provider_activity: false,
      readiness: 'failed',
      usage: { llm_usage_state: 'available', llm_usage: [] },
    } as const;
    const shared = { runReference: REFERENCE, error, warnings: [], result };
    expect(doctorFailure({ ...shared, secondaryErrors: [error] }).result.readiness).to.equal('failed');
    expect(() => doctorFailure({ ...shared, secondaryErrors: Array.from({ length: 7 }, () => error) })).to.throw(
      TypeError,
    );
  });

  it('build what a reader of another phase can tell apart', () => {
    const recovered = runFailure(
      facts({ error: diagnostic('destination_collision'), artifactState: { ...none, result: 'recovery_written' } }),
    );
    expect(recovered.artifact_state.result).to.equal('recovery_written');
    expect(fixedSource('runtime')).to.deep.equal({ kind: 'runtime', name: 'svc-runtime' });
  });
});
