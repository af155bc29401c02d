import { expect } from 'chai';
import { CATALOGUE, DIAGNOSTIC_CODES, type DiagnosticCode, type SourceRule, type SubjectRule } from './catalogue.ts';
import {
  diagnostic,
  exitStatus,
  fixedSource,
  isLogicalName,
  logicalSource,
  providerSubject,
  withGenericMessage,
  withProviderActivity,
  type DiagnosticFacts,
  type Source,
  type Subject,
} from './diagnostic.ts';
import { agentTurnsMessage, replayFixtureMissingMessage } from './messages/execution.ts';
import { isFixedSourceKind } from './vocabulary.ts';

const OCCURRENCE = { destination: 'workflow', index: 0 } as const;

function sourceFor(rule: SourceRule): Source | null {
  if (rule === null) return null;
  return isFixedSourceKind(rule) ? fixedSource(rule) : logicalSource(rule, 'main.clj');
}

function subjectFor(rule: SubjectRule): Subject | null {
  return rule === null
    ? null
    : providerSubject('tools', rule.operation, rule.occurrence === 'null' ? null : OCCURRENCE);
}

/** The least facts with which a diagnostic of this code can be built. */
function leastFacts(code: DiagnosticCode): DiagnosticFacts {
  const { sources, subjects } = CATALOGUE[code];
  return { source: sourceFor(sources[0]), subject: subjectFor(subjects[0]) };
}

describe('diagnostic', () => {
  it('builds every code of the catalogue with its generic text', () => {
    for (const code of DIAGNOSTIC_CODES) {
      const built = diagnostic(code, leastFacts(code));
      const row = CATALOGUE[code];
      expect(built.message, code).to.equal(row.message.generic);
      expect(built.retryable, code).to.equal(row.retryable);
      expect(built.provider_activity, code).to.equal(row.providerActivity === true);
      expect(exitStatus(built), code).to.equal(row.exit);
    }
  });

  it('names the document that a code always speaks of', () => {
    expect(diagnostic('host_schema_invalid', { path: '/install/*' })).to.deep.equal({
      phase: 'host',
      code: 'host_schema_invalid',
      message: 'the host document does not satisfy its schema',
      source: { kind: 'host', name: 'svc-host.json' },
      path: '/install/*',
      span: null,
      subject: null,
      notes: [],
      retryable: false,
      provider_activity: false,
    });
  });

  const forbidden: readonly (readonly [rule: string, code: DiagnosticCode, facts: DiagnosticFacts])[] = [
    ['a phase of another code', 'invalid_json', { phase: 'host', source: fixedSource('application') }],
    ['a text of its own', 'run_timeout', { message: 'the run took too long' }],
    ['caller text behind an admitted one', 'runtime_limit_exceeded', { message: `${agentTurnsMessage(4)} secret` }],
    [
      'a text bound to another source',
      'runtime_limit_exceeded',
      { message: agentTurnsMessage(4), source: fixedSource('runtime') },
    ],
    [
      'a hash without source',
      'replay_fixture_missing',
      { message: replayFixtureMissingMessage(`sha256:${'0'.repeat(64)}`) },
    ],
    ['a source of another kind', 'invalid_json', { source: fixedSource('host') }],
    ['no source where one is needed', 'contract_invalid', {}],
    [
      'a source name that is a path of the machine',
      'syntax_invalid',
      { source: { kind: 'component', name: '/home/me/main.clj' } },
    ],
    ['a span without source', 'workflow_failed', { span: { start_byte: 0, end_byte: 1 } }],
    [
      'a span that ends before it starts',
      'workflow_failed',
      { source: fixedSource('runtime'), span: { start_byte: 2, end_byte: 1 } },
    ],
    ['a span where there is none', 'host_schema_invalid', { span: { start_byte: 0, end_byte: 1 } }],
    ['a path where there is none', 'run_timeout', { path: '' }],
    ['a path that is no pointer', 'host_schema_invalid', { path: 'install' }],
    ['a path of 8193 characters', 'host_schema_invalid', { path: `/${'x'.repeat(8192)}` }],
    ['no subject where one is needed', 'command_not_found', {}],
    ['a subject where there is none', 'run_timeout', { subject: providerSubject('tools', 'execution', null) }],
    [
      'a subject of another operation',
      'command_not_found',
      { subject: providerSubject('tools', 'selection', OCCURRENCE) },
    ],
    ['no occurrence where one is needed', 'command_not_found', { subject: providerSubject('tools', 'local', null) }],
    [
      'an occurrence where none is named',
      'credential_unavailable',
      { subject: providerSubject('tools', 'credentials', OCCURRENCE) },
    ],
    [
      'an occurrence beyond 31',
      'command_not_found',
      { subject: providerSubject('tools', 'local', { destination: 'mission', index: 32 }) },
    ],
    [
      'a provider name that is none',
      'command_not_found',
      { subject: providerSubject('My tools', 'local', OCCURRENCE) },
    ],
    ['provider activity before any', 'invalid_command', { providerActivity: true }],
    ['no provider activity after some', 'provider_cleanup_failed', { providerActivity: false }],
  ];
  for (const [rule, code, facts] of forbidden) {
    it(`refuses ${rule}`, () => {
      expect(() => diagnostic(code, facts)).to.throw(TypeError, `does not allow this`);
    });
  }

  it('leaves a cause out of entries that are printed without one', () => {
    expect(diagnostic('run_timeout', { cause: 'permission' })).not.to.have.property('cause');
    expect(diagnostic('trace_publication_failed', { cause: 'permission' })).to.have.property('cause', 'permission');
  });

  it('tells of provider activity later only where the catalogue leaves it open', () => {
    expect(withProviderActivity(diagnostic('run_timeout'), true).provider_activity).to.equal(true);
    expect(() => withProviderActivity(diagnostic('invalid_command'), true)).to.throw(TypeError);
  });

  it('takes all facts out of the message of a private run', () => {
    const reported = diagnostic('runtime_limit_exceeded', { message: agentTurnsMessage(4) });
    expect(withGenericMessage(reported).message).to.equal('a runtime limit was exceeded');
  });

  it('takes logical names alone as names of sources', () => {
    for (const name of ['main.clj', 'a/b/c.clj', 'agent.core', '0']) expect(isLogicalName(name), name).to.equal(true);
    for (const name of [
      '',
      '/a',
      'a/',
      'a//b',
      '.hidden',
      '../a',
      'A',
      'a b',
      'a\n',
      `a${'/a'.repeat(16)}`,
      'x'.repeat(129),
    ]) {
      expect(isLogicalName(name), name).to.equal(false);
      expect(() => logicalSource('component', name), name).to.throw(TypeError);
    }
  });
});
