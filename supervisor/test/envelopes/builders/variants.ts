import { CREATED, PAGES } from '../../../../conformance/envelopes/checker/names.ts';
import type { Fixture } from './classified.ts';
import {
  ALIAS_USAGE,
  DIGEST,
  FINISHED_OK,
  INCOMPLETE,
  LAST_ERROR,
  MEMORY,
  NOT_STARTED,
  OCCURRENCE,
  RUNTIME,
  RUN_REF,
  UNAVAILABLE_USAGE,
  WARNING,
  artifacts,
  diagnostic,
  finishedError,
  head,
  runFailure,
  subject,
  usage,
  type Fields,
  type Plain,
} from './parts.ts';

/** A valid envelope of every variant. */

const LISTS: Fields = { secondary_errors: [], warnings: [] };

function success(command: string, result: Plain): Fields {
  return { ...head(command, 'ok'), result, ...LISTS };
}

const HEX = 'b7'.repeat(32);
const ARGUMENT_FAULT = diagnostic('arguments', 'invalid_arguments', 'option --input requires a value');
const WORKFLOW_FAILED = diagnostic('execution', 'workflow_failed', 'the workflow failed', {
  provider_activity: true,
  source: RUNTIME,
});
const TRACE_FAILED = diagnostic(
  'publication',
  'trace_publication_failed',
  'the trace artifact could not be published',
  { cause: 'filesystem_error' },
);
const RESULT_FAILED = diagnostic(
  'publication',
  'result_publication_failed',
  'the result artifact could not be published',
);
const CLEANUP = diagnostic('result_cleanup', 'provider_cleanup_failed', 'a provider could not be released cleanly', {
  provider_activity: true,
  subject: subject('cleanup', null),
});
const INTERNAL = diagnostic('internal', 'internal_error', 'an internal error occurred');
const CAPACITY = diagnostic('application', 'limit_capacity_invalid', 'a limit is too small for this application', {
  source: { kind: 'application', name: 'svc.json' },
});

export const CHECKS: readonly Plain[] = [
  { name: 'runtime', status: 'pass', code: 'supported' },
  { name: 'application', status: 'pass', code: 'valid' },
  { name: 'viewer', status: 'warn', code: 'optional_unavailable' },
  { name: 'provider/tools/local', status: 'pass', code: 'available' },
  { name: 'provider/tools/selection', status: 'pass', code: 'declarative' },
];

function report(readiness: string, checks: readonly Plain[], members: Fields = {}): Fields {
  return {
    checks,
    model_aliases: [
      {
        alias: 'writer',
        source: 'llm',
        installation_revision: 'r1',
        default: null,
        selected: false,
        model_selector: 'openai:gpt-x',
      },
      { alias: 'replayed', source: 'llm_replay', installation_revision: 'r2', default: true, selected: true },
    ],
    provider_activity: true,
    readiness,
    usage: { llm_usage_state: 'available', llm_usage: [ALIAS_USAGE] },
    ...members,
  };
}

const FAILED_REPORT = report('failed', [
  ...CHECKS,
  { name: 'provider/tools/credentials', status: 'skipped', code: 'not_verified_due_to_failure' },
  { name: 'provider/tools/authorization', status: 'skipped', code: 'requires_connect' },
  { name: 'provider/tools/connectivity', status: 'fail', code: 'provider_tool_missing' },
]);

export const DOCTOR_FAILURE: Fields = {
  ...head('doctor', 'error'),
  error: diagnostic('provider_acquisition', 'provider_unavailable', 'the selected provider could not be acquired', {
    provider_activity: true,
    subject: subject('acquisition', OCCURRENCE),
  }),
  result: FAILED_REPORT,
  secondary_errors: [CLEANUP],
  warnings: [WARNING],
};

const VALIDATE: Fields = {
  application_content_digest: DIGEST,
  effective_application_digest: DIGEST,
  installation_config_digests: { tools: DIGEST },
  workflow_bundle_hash: HEX,
  mission_bundle_hashes: { reader: HEX, writer: null },
  mission_grants: { reader: { data: ['data/orders'], exports: ['reader/run'], providers: ['tools'] } },
  provider_activity: false,
};

const INSTALLATION: Fields = {
  alias: 'writer',
  source: 'llm',
  installation_revision: 'r1',
  data_class: 'normal',
  accepts_data: ['normal', 'private_inspection'],
  destinations: ['workflow'],
  model_selector: 'openai:gpt-x',
};

function* commandVariants(): Generator<Fixture> {
  yield {
    name: 'version',
    value: success('version', { version: '1.2.3-rc.1+build.5', source_revision: 'c'.repeat(40), source_dirty: false }),
  };
  yield {
    name: 'docs index',
    value: success('docs', { pages: PAGES.map((name) => ({ name, title: 'A title', bytes: 1 })) }),
  };
  yield { name: 'docs page', value: success('docs', { page: 'schema-envelope', content: '{}' }) };
  yield {
    name: 'docs search',
    value: success('docs', {
      term: 'x'.repeat(128),
      matches: [{ page: 'install-source', line: 1, text: '' }],
      omitted_matches: 0,
      omitted_pages: 0,
    }),
  };
  for (const created of CREATED) yield { name: 'init', value: success('init', { created }) };
  yield { name: 'validate', value: success('validate', VALIDATE) };
  yield { name: 'models', value: success('models', { installations: [INSTALLATION] }) };
  yield {
    name: 'catalog',
    value: success('catalog', {
      provider: 'tools',
      tool_count: 1,
      tools: [{ name: 'find order', description: '', input_schema: { type: 'object' }, output_schema: true }],
      pagination: { pages: 1, truncated: false },
    }),
  };
  yield { name: 'materialize source', value: success('materialize', { mode: 'source-out', path: '/tmp/main.clj' }) };
  yield {
    name: 'materialize candidate',
    value: success('materialize', { mode: 'candidate', directory: '/tmp/candidate' }),
  };
  yield {
    name: 'transcript',
    value: success('transcript', { command: 'transcript', run_ref: RUN_REF, path: '/tmp/t.json', turns: 0 }),
  };
  yield { name: 'doctor ready', value: success('doctor', report('ready', CHECKS)) };
  yield {
    name: 'doctor without application',
    value: success(
      'doctor',
      report(
        'unverified',
        [
          CHECKS[0],
          { name: 'application', status: 'skipped', code: 'not_requested' },
          CHECKS[2],
          { name: 'provider/tools/local', status: 'skipped', code: 'application_required' },
        ].map((row) => row ?? null),
        { provider_activity: false, usage: { llm_usage_state: 'unavailable', llm_usage: null }, model_aliases: [] },
      ),
    ),
  };
  yield { name: 'success as older readers wrote it', value: { ...head('validate', 'ok'), result: VALIDATE } };
  yield { name: 'doctor failed', value: DOCTOR_FAILURE };
  yield {
    name: 'doctor failed, six secondary errors',
    value: { ...DOCTOR_FAILURE, secondary_errors: Array.from({ length: 6 }, () => CLEANUP) },
  };
  for (const command of [
    'help',
    'version',
    'docs',
    'init',
    'validate',
    'doctor',
    'models',
    'catalog',
    'materialize',
    'transcript',
    'unknown',
  ]) {
    yield { name: `${command} failure`, value: { ...head(command, 'error'), error: ARGUMENT_FAULT, ...LISTS } };
  }
}

export const RUN_SUCCESS: Fields = {
  ...head('run', 'ok'),
  result: { result_class: 'normal', value: { greeting: ['hello', 1, null, 0.5, true] } },
  secondary_errors: [],
  warnings: [WARNING, { ...WARNING, model: 'openai:gpt-x' }],
  artifact_state: artifacts('written', 'not_requested', 'written'),
  artifact_class: 'normal',
  execution: FINISHED_OK,
};

export const PRIVATE_SUCCESS: Fields = {
  ...RUN_SUCCESS,
  result: { result_class: 'private' },
  artifact_class: 'private',
};

export const CLASSIFIED = runFailure(WORKFLOW_FAILED, {
  warnings: [WARNING],
  artifact_state: artifacts('written', 'failed', 'not_written'),
  execution: finishedError(WORKFLOW_FAILED, LAST_ERROR),
});

export const RECOVERED = runFailure(TRACE_FAILED, {
  artifact_class: 'private',
  artifact_state: artifacts('failed', 'not_written', 'recovery_written'),
  execution: FINISHED_OK,
});

export const UNCERTAIN = runFailure(CLEANUP, {
  secondary_errors: [RESULT_FAILED],
  artifact_class: 'private',
  artifact_state: artifacts('written', 'written', 'finalization_uncertain'),
  execution: FINISHED_OK,
});

export const UNCLASSIFIED = runFailure(ARGUMENT_FAULT, { artifact_class: 'unclassified' });
export const CAPACITY_FAILURE = runFailure(CAPACITY, {
  artifact_state: artifacts('not_written', 'not_requested', 'not_written'),
});

function* runVariants(): Generator<Fixture> {
  yield { name: 'run success', value: RUN_SUCCESS };
  yield { name: 'run success without its value', value: { ...RUN_SUCCESS, result: { result_class: 'normal' } } };
  yield { name: 'run success with null', value: { ...RUN_SUCCESS, result: { result_class: 'normal', value: null } } };
  yield { name: 'private run success', value: PRIVATE_SUCCESS };
  yield { name: 'unclassified', value: UNCLASSIFIED };
  yield { name: 'unclassified internal failure', value: runFailure(INTERNAL, { artifact_class: 'unclassified' }) };
  yield { name: 'capacity', value: CAPACITY_FAILURE };
  yield {
    name: 'capacity after acquisition, private',
    value: runFailure({ ...CAPACITY, provider_activity: true }, { artifact_class: 'private', execution: INCOMPLETE }),
  };
  yield { name: 'classified', value: CLASSIFIED };
  yield {
    name: 'classified, private',
    value: { ...CLASSIFIED, artifact_class: 'private', execution: finishedError(WORKFLOW_FAILED) },
  };
  yield { name: 'classified, not started', value: { ...CLASSIFIED, execution: NOT_STARTED } };
  yield {
    name: 'classified, finished ok',
    value: runFailure(CLEANUP, { execution: { ...FINISHED_OK, usage: UNAVAILABLE_USAGE } }),
  };
  yield {
    name: 'classified, incomplete with records',
    value: {
      ...CLASSIFIED,
      execution: {
        ...INCOMPLETE,
        usage: usage({ llm_spend: { state: 'overflow' } }),
        evaluation_memory: MEMORY,
        last_evaluation_error: LAST_ERROR,
      },
    },
  };
  yield { name: 'internal failure once it ran', value: runFailure(INTERNAL, { execution: INCOMPLETE }) };
  yield {
    name: 'read effect found wrong after acquisition',
    value: runFailure(
      diagnostic(
        'application',
        'declared_read_effect_invalid',
        'an export declared read reaches a write or unknown effect',
        {
          source: { kind: 'application', name: 'svc.json' },
          provider_activity: true,
        },
      ),
      { execution: INCOMPLETE },
    ),
  };
  yield {
    name: 'result contract with a path',
    value: runFailure(
      diagnostic(
        'result_cleanup',
        'result_contract_failed',
        'the result violates its contract: rule type; expected: string',
        {
          source: { kind: 'result_contract', name: 'schemas/result.json' },
          path: '/a~1b/0',
        },
      ),
      { execution: FINISHED_OK },
    ),
  };
  yield { name: 'recovery written', value: RECOVERED };
  yield {
    name: 'recovery written, told by a secondary error',
    value: { ...RECOVERED, error: CLEANUP, secondary_errors: [TRACE_FAILED] },
  };
  yield { name: 'finalization uncertain', value: UNCERTAIN };
  yield {
    name: 'finalization uncertain, told by the error',
    value: { ...UNCERTAIN, error: RESULT_FAILED, secondary_errors: [], artifact_class: 'normal' },
  };
}

export function* validEnvelopes(): Generator<Fixture> {
  yield* commandVariants();
  yield* runVariants();
}
