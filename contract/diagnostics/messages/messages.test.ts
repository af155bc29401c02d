import { expect } from 'chai';
import * as fc from 'fast-check';
import { CATALOGUE, type DiagnosticCode } from '../catalogue.ts';
import { wholeMatch } from '../grammar.ts';
import { MESSAGE_LENGTH_MAX } from './admitted.ts';
import * as args from './arguments.ts';
import * as documents from './documents.ts';
import * as execution from './execution.ts';
import * as programs from './programs.ts';

/** Whether the catalogue admits a message for a code, whatever its source. */
function admits(code: DiagnosticCode, message: string): boolean {
  const { generic, forms } = CATALOGUE[code].message;
  return message === generic || forms.some(({ pattern }) => wholeMatch(pattern).test(message));
}

const HASH = `sha256:${'5e'.repeat(32)}`;

/** One message of every builder, with the facts it is for. */
const MESSAGES: readonly (readonly [DiagnosticCode, string])[] = [
  ['invalid_arguments', args.optionMessage('--input', 'value_missing')],
  ['invalid_arguments', args.optionMessage('-e', 'not_a_file_name')],
  ['invalid_arguments', args.positionalMessage('MANIFEST.json|PROJECT.json', 'missing')],
  ['invalid_arguments', args.oneOptionRequiredMessage(['--max-age-days', '--max-bytes'])],
  ['invalid_arguments', args.argumentRuleMessage('unknown_option')],
  ['conflicting_arguments', args.exclusiveOptionsMessage(['--input', '--private-input'])],
  ['conflicting_arguments', args.sameDestinationMessage('--envelope', '--output')],
  ['conflicting_arguments', args.insideDestinationMessage('--envelope', 'DIRECTORY')],
  [
    'project_schema_invalid',
    documents.schemaRuleMessage('project', 'unknown_property', { allowed: ['kind', '$schema'] }),
  ],
  ['project_schema_invalid', documents.documentLimitMessage('project', 262_144, 'bytes')],
  ['project_schema_invalid', documents.jsonFaultMessage('project', 'syntax')],
  ['host_invalid', documents.hostRuleMessage('credential_undeclared')],
  ['host_schema_invalid', documents.schemaRuleMessage('host', 'maximum', { bound: 30_000 })],
  ['host_schema_invalid', documents.schemaRuleMessage('host', 'minimum', { bound: -0.5 })],
  ['installed_limit_invalid', documents.limitPrerequisiteMessage('llm_total_tokens', 'usage_guarantees.tokens')],
  [
    'installed_limit_invalid',
    documents.limitRangeMessage({ limit: 'run_duration_ms', minimum: 1, maximum: 2_592_000_000 }),
  ],
  ['invalid_json', documents.jsonFaultMessage('input', 'surrogate')],
  ['schema_violation', documents.schemaRuleMessage('application', 'const', { expected: 'svc-project' })],
  ['schema_violation', documents.applicationRuleMessage('component_duplicate')],
  ['unknown_mission_provider', documents.missionProviderMessage('unknown_mission_provider', 'tools')],
  ['installed_limit_exceeded', documents.limitExceededMessage({ limit: 'run_duration_ms', requested: 5, ceiling: 4 })],
  ['limit_unavailable', documents.limitUnavailableMessage({ limit: 'llm_total_tokens', requested: 5 })],
  [
    'limit_configuration_invalid',
    documents.limitTooSmallMessage({ limit: 'normal_event_bytes', value: 1, minimum: 2 }),
  ],
  ['limit_capacity_invalid', documents.limitTooSmallMessage({ limit: 'event_payload_bytes', value: 1, minimum: 2 })],
  ['limit_capacity_invalid', documents.usageEntriesMessage(513, 512)],
  ['limit_capacity_invalid', documents.inventoryTextMessage(262_144)],
  ['declared_read_effect_invalid', documents.declaredReadMessage('reader/run', 'write')],
  ['required_property_missing', documents.schemaRuleMessage('application', 'required', { expected: 'version' })],
  ['document_limit_exceeded', documents.closureLimitMessage(512, 'documents')],
  ['document_limit_exceeded', documents.documentLimitMessage('input', 64, 'levels')],
  ['contract_invalid', documents.contractRuleMessage('result_contract', 'type_missing')],
  ['input_contract_failed', documents.contractValueMessage('input', 'required')],
  ['result_contract_failed', documents.contractValueMessage('result', 'enum', { allowed: ['a', 'b'], agentTurns: 4 })],
  ['phase_return_contract_failed', documents.contractValueMessage('phase_return', 'type', { expected: 'string' })],
  ['override_invalid', documents.overrideMessage('source_hash', 'mismatch')],
  ['bundle_invalid', programs.bundleRuleMessage('dependency_cycle')],
  ['bundle_limit_exceeded', programs.bundleLimitMessage('time')],
  ['compile_failed', programs.compileReasonMessage('invalid_form')],
  ['undefined_variable', programs.undefinedVariableMessage(['foo', 'bar/baz', '->x'])],
  ['duplicate_definition', programs.duplicateDefinitionMessage('main/run')],
  ['unknown_namespace', programs.unknownNamespaceMessage('agent.cor', ['agent.core', 'result'])],
  ['mission_capability_ungranted', programs.missionCapabilityMessage('reader', ['orders.find'])],
  ['selection_invalid', programs.selectionMessage('unknown_property')],
  ['selection_invalid', programs.selectionMessage({ field: 'max_calls', rule: 'ceiling', bound: 9 })],
  ['dependency_invalid', programs.dependencyMessage('two_default_models')],
  ['provider_tool_missing', execution.providerToolMissingMessage('say-"hi"\\')],
  ['capability_requirement_missing', programs.capabilityRequirementMessage(['b', 'a'])],
  ['explicit_failure', execution.explicitFailureMessage('too_large')],
  ['evaluation_failed', execution.evaluationFailedMessage('arity_error')],
  [
    'invalid_agent_config',
    execution.agentConfigMessage({ option: 'max_turns', minimum: 1, maximum: 128, given: -9_223_372_036_854_775_808n }),
  ],
  [
    'invalid_agent_config',
    execution.agentConfigMessage({ option: 'max_turns', minimum: 1, maximum: 128, given: 'float' }),
  ],
  ['invalid_agent_config', execution.agentConfigRuleMessage('phases', 'invalid-phases')],
  ['capability_quota_exceeded', execution.capabilityQuotaMessage({ limit: 'mission_capability_calls', value: 256 })],
  [
    'capability_quota_exceeded',
    execution.capabilityQuotaMessage({ limit: 'max_calls', value: 1, by: { alias: 'writer' } }),
  ],
  [
    'capability_quota_exceeded',
    execution.capabilityQuotaMessage({
      limit: 'mission_capability_calls_per_name',
      value: 1,
      by: { capability: 'orders/find' },
    }),
  ],
  ['runtime_limit_exceeded', execution.agentTurnsMessage(128)],
  ['runtime_limit_exceeded', execution.subordinateEvaluationsMessage(2048)],
  [
    'runtime_limit_exceeded',
    execution.timeLimitMessage({ limit: 'parallel_timeout_ms', milliseconds: 60_000, during: 'execution' }),
  ],
  ['turn_limit_exceeded', execution.turnLimitMessage(4, 'protocol-error')],
  [
    'turn_limit_exceeded',
    execution.turnLimitMessage(
      128,
      'evaluation-error',
      execution.TURN_KINDS.map((kind) => [kind, 21]),
    ),
  ],
  ['model_output_truncated', execution.modelOutputTruncatedMessage({ alias: 'writer' })],
  [
    'model_output_truncated',
    execution.modelOutputTruncatedMessage({
      alias: 'writer',
      limit: { maxTokens: 4096, bindings: ['application_limit', 'model_output_limit'] },
    }),
  ],
  ['replay_fixture_missing', execution.replayFixtureMissingMessage(HASH)],
  ['result_limit_exceeded', execution.resultLimitMessage('terminal_result_bytes', 1_000_000)],
  ['candidate_refused', programs.candidateRefusedMessage(['G2', 'G3'])],
  ['internal_error', execution.INTERRUPTED],
  ['internal_error', programs.COMPILER_ENDED],
  ['internal_error', programs.COMPILER_SILENT],
  ['internal_error', programs.GUEST_IMAGE_BROKEN],
];

describe('message builders', () => {
  for (const [code, message] of MESSAGES) {
    it(`tell the facts of ${code}: ${message.slice(0, 60)}`, () => {
      expect(admits(code, message)).to.equal(true);
      expect(message, 'a builder fell back though its facts qualify').not.to.equal(CATALOGUE[code].message.generic);
    });
  }

  it('cover every code whose message may carry facts', () => {
    const reported = new Set(MESSAGES.map(([code]) => code));
    // duplicate_property and duplicate_mission_provider share builders with the rows above.
    const shared = ['duplicate_property', 'duplicate_mission_provider'];
    const open = Object.entries(CATALOGUE)
      .filter(([, row]) => row.message.forms.length > 0)
      .map(([code]) => code);
    expect([...reported, ...shared]).to.have.members(open);
  });

  it('fall back to the generic text for facts that do not qualify', () => {
    expect(programs.undefinedVariableMessage(['two words'])).to.equal(programs.UNDEFINED_VARIABLE);
    expect(programs.undefinedVariableMessage(['x'.repeat(129)])).to.equal(programs.UNDEFINED_VARIABLE);
    expect(programs.undefinedVariableMessage([])).to.equal(programs.UNDEFINED_VARIABLE);
    expect(execution.agentTurnsMessage(129)).to.equal(execution.RUNTIME_LIMIT_EXCEEDED);
    expect(execution.providerToolMissingMessage('a\nb')).to.equal(execution.PROVIDER_TOOL_MISSING);
    expect(programs.capabilityRequirementMessage(Array.from('abcdefghi'))).to.equal(
      programs.CAPABILITY_REQUIREMENT_MISSING,
    );
    expect(documents.schemaRuleMessage('host', 'enum', { allowed: ['two words'], expected: '' })).to.equal(
      'the host document violates rule enum',
    );
    expect(documents.missionProviderMessage('unknown_mission_provider', '; DROP')).to.equal(
      documents.UNKNOWN_MISSION_PROVIDER,
    );
  });

  it('keep at most eight names', () => {
    expect(programs.undefinedVariableMessage(Array.from('abcdefghij'))).to.equal(
      'undefined names: a, b, c, d, e, f, g, h',
    );
  });

  it('bound long lists of allowed words', () => {
    const message = documents.schemaRuleMessage('host', 'unknown_property', {
      allowed: Array.from({ length: 90 }, (_, index) => `property_${String(index)}`),
    });
    expect(admits('host_schema_invalid', message)).to.equal(true);
    expect(message).to.match(/ and 66 more$/);
  });

  it('never let hostile facts past the catalogue, whatever they are', () => {
    const hostile = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 2000 }));
    fc.assert(
      fc.property(hostile, fc.integer(), (word, number) => {
        const built: readonly (readonly [DiagnosticCode, string])[] = [
          ['invalid_arguments', args.optionMessage(word, 'repeated')],
          ['conflicting_arguments', args.sameDestinationMessage(word, word)],
          [
            'host_schema_invalid',
            documents.schemaRuleMessage('host', 'enum', { allowed: [word, word], expected: word, bound: number }),
          ],
          [
            'installed_limit_exceeded',
            documents.limitExceededMessage({ limit: word, requested: number, ceiling: number }),
          ],
          ['override_invalid', documents.overrideMessage('path', 'unusable', { expected: word })],
          ['undefined_variable', programs.undefinedVariableMessage([word, word])],
          ['unknown_namespace', programs.unknownNamespaceMessage(word, [word])],
          ['selection_invalid', programs.selectionMessage({ field: word, rule: 'type', bound: number })],
          ['capability_requirement_missing', programs.capabilityRequirementMessage([word, word])],
          ['provider_tool_missing', execution.providerToolMissingMessage(word)],
          ['evaluation_failed', execution.evaluationFailedMessage(word)],
          [
            'capability_quota_exceeded',
            execution.capabilityQuotaMessage({ limit: word, value: number, by: { alias: word } }),
          ],
          ['runtime_limit_exceeded', execution.agentTurnsMessage(number)],
          ['model_output_truncated', execution.modelOutputTruncatedMessage({ alias: word })],
          ['replay_fixture_missing', execution.replayFixtureMissingMessage(word)],
        ];
        for (const [code, message] of built) {
          expect(admits(code, message), `${code}: ${message}`).to.equal(true);
          expect(message.length, code).to.be.at.most(MESSAGE_LENGTH_MAX);
          expect(message.isWellFormed(), code).to.equal(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
