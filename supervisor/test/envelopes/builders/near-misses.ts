import type { Fixture } from './classified.ts';
import {
  FINISHED_OK,
  INCOMPLETE,
  LAST_ERROR,
  RUNTIME,
  RUN_REF,
  WARNING,
  artifacts,
  diagnostic,
  runFailure,
  usage,
  type Fields,
  type Plain,
} from './parts.ts';
import {
  CAPACITY_FAILURE,
  CLASSIFIED,
  DOCTOR_FAILURE,
  PRIVATE_SUCCESS,
  RECOVERED,
  RUN_SUCCESS,
  UNCERTAIN,
  UNCLASSIFIED,
  validEnvelopes,
} from './variants.ts';

/** Envelopes that are valid but for one thing. */

/** Members that may be left out. */
const OPTIONAL = new Set(['value', 'cause', 'model_selector', 'description', 'output_schema']);
/** Objects that are maps, free JSON, or have optional members only. */
const OPEN = new Set([
  'value',
  'input_schema',
  'output_schema',
  'capability_calls',
  'evaluations_by_mission',
  'events_dropped',
  'capability_refusals',
  'capability_denials',
  'installation_config_digests',
  'mission_bundle_hashes',
  'mission_grants',
]);
/** Lists that readers do without on a success other than of run (cli.md §3). */
const LISTS = new Set(['secondary_errors', 'warnings']);

type Rebuild = (part: Plain) => Plain;

function isFields(value: Plain): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function without(fields: Fields, dropped: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== dropped));
}

/** Leaves out each required member and adds one, at every closed object below `part`. */
function* structural(part: Plain, at: string, rebuild: Rebuild, root: Fields): Generator<Fixture> {
  if (Array.isArray(part)) {
    const items: readonly Plain[] = part;
    for (const [index, item] of items.entries())
      yield* structural(item, `${at}/${String(index)}`, (changed) => rebuild(items.with(index, changed)), root);
    return;
  }
  if (!isFields(part)) return;
  yield { name: `an extra member at ${at}/`, value: rebuild({ ...part, extra: true }) };
  for (const [key, member] of Object.entries(part)) {
    const optional = OPTIONAL.has(key) || (at.endsWith('/usage') && ['input', 'output', 'total_cost'].includes(key));
    const leftOut = part === root && LISTS.has(key) && root['status'] === 'ok' && root['command'] !== 'run';
    if (!optional && !leftOut) yield { name: `no ${key} at ${at}/`, value: rebuild(without(part, key)) };
    if (!OPEN.has(key))
      yield* structural(member, `${at}/${key}`, (changed) => rebuild({ ...part, [key]: changed }), root);
  }
}

function* structuralOf({ name, value }: Fixture): Generator<Fixture> {
  if (!isFields(value)) return;
  for (const miss of structural(value, '', (part) => part, value))
    yield { name: `${name}: ${miss.name}`, value: miss.value };
}

/** Members that hold one of few words. */
function* wordsOf({ name, value }: Fixture): Generator<Fixture> {
  if (!isFields(value)) return;
  const wrong: Readonly<Record<string, readonly Plain[]>> = {
    schema_version: [4, 6, '5', null],
    command: ['prune', 'repl', 'viewer', 'gateway', '', null],
    status: ['failed', 'warning', null],
    run_ref: [
      '',
      'cmd-8zzzzzzzzzzzzzzzzzzzzzzzzz',
      'cmd-7zzzzzzzzzzzzzzzzzzzzzzzz',
      'cmd-7zzzzzzzzzzzzzzzzzzzzzzzzi',
      `${RUN_REF}\n`,
      'CMD-7zzzzzzzzzzzzzzzzzzzzzzzzz',
    ],
    secondary_errors: [null, {}, [null]],
    warnings: [null, {}, [null]],
    artifact_class: ['public', null],
  };
  for (const [member, words] of Object.entries(wrong)) {
    if (!(member in value)) continue;
    for (const word of words)
      yield { name: `${name}: ${member} ${JSON.stringify(word)}`, value: { ...value, [member]: word } };
  }
}

function changed(envelope: Fields, name: string, ...members: readonly Fields[]): readonly Fixture[] {
  return members.map((one) => ({
    name: `${name}: ${JSON.stringify(one).slice(0, 120)}`,
    value: { ...envelope, ...one },
  }));
}

function executed(members: Fields, error: Plain = CLASSIFIED['error'] ?? null): Fields {
  return { error, execution: { ...FINISHED_OK, ...members } };
}

function used(members: Fields): Fields {
  return { execution: { ...FINISHED_OK, usage: usage(members) } };
}

const TEXT_FAULT = diagnostic('execution', 'run_timeout', 'the run took too long');
const SEVEN = Array.from({ length: 7 }, () => CLASSIFIED['error'] ?? null);

function* runMisses(): Generator<Fixture> {
  yield* changed(
    RUN_SUCCESS,
    'run success',
    { secondary_errors: [CLASSIFIED['error'] ?? null] },
    { warnings: Array.from({ length: 129 }, () => WARNING) },
    { warnings: [{ ...WARNING, provider: 'Writer' }] },
    { warnings: [{ ...WARNING, model: '' }] },
    { warnings: [{ ...WARNING, message: 'the configured model is not an exact catalog entry' }] },
    { artifact_state: artifacts('not_written', 'not_requested', 'written') },
    { artifact_state: artifacts('written', 'failed', 'written') },
    { artifact_state: artifacts('written', 'written', 'recovery_written') },
    { result: { result_class: 'private' } },
    { artifact_class: 'private' },
    { artifact_class: 'unclassified' },
    { error: CLASSIFIED['error'] ?? null },
    { execution: INCOMPLETE },
    { execution: CLASSIFIED['execution'] ?? null },
    { execution: { ...FINISHED_OK, last_evaluation_error: LAST_ERROR } },
    { execution: { ...FINISHED_OK, usage: null } },
    { execution: { ...FINISHED_OK, diagnostic: TEXT_FAULT } },
  );
  yield* changed(
    RUN_SUCCESS,
    'usage',
    used({ remaining_ms: -1 }),
    used({ remaining_ms: 1.5 }),
    used({ capability_calls: { 'kernel/x': 1 } }),
    used({ capability_calls: { 'workflow/X': 1 } }),
    used({
      capability_calls: Object.fromEntries(
        Array.from({ length: 513 }, (_, index) => [`workflow/c${String(index)}`, 1]),
      ),
    }),
    used({ evaluations_by_mission: { Reader: 1 } }),
    used({ events_dropped: { $other: 1 } }),
    used({ capability_denials: { a: 1, b: 1, c: 1, d: 1 } }),
    used({ capability_denials: { 'has-dash': 1 } }),
    used({ capability_refusals: { 'mission/a': 1 } }),
    used({ capability_refusals: { 'mission/a/b/c': 1 } }),
    used({ capability_refusals: { 'mission/sha256:00/b': 1 } }),
    used({ llm_budget: { total_tokens: null } }),
    used({
      llm_budget: {
        total_tokens: { state: 'available', limit: 0, reserved: 0, charged: 0, remaining: 0, refused: 0 },
        cost: null,
      },
    }),
    used({
      llm_budget: {
        total_tokens: { state: 'available', limit: 9, reserved: 1, charged: 0, remaining: 8, refused: 0 },
        cost: null,
      },
    }),
    used({ llm_spend: { state: 'empty', input: 0 } }),
    used({ llm_spend: { state: 'unpriced', input: 0 } }),
    used({ llm_spend: { state: 'available', input: 0, output: 0, total_cost: { currency: 'EUR', microunits: 0 } } }),
    used({ llm_spend: { state: 'unpriced', input: 9_007_199_254_740_992, output: 0 } }),
    used({ llm_usage_state: 'unavailable' }),
    used({ llm_usage: null }),
    used({ unattributed_model_calls: null }),
    used({ llm_usage: Array.from({ length: 129 }, () => usage()['llm_usage'] ?? null) }),
  );
  yield* changed(
    PRIVATE_SUCCESS,
    'private run success',
    { result: { result_class: 'private', value: 1 } },
    { result: { result_class: 'normal' } },
    { artifact_state: artifacts('written', 'written', 'not_requested') },
    { artifact_class: 'normal' },
  );
  yield* changed(
    CLASSIFIED,
    'classified',
    { secondary_errors: SEVEN },
    { secondary_errors: [TEXT_FAULT] },
    { error: TEXT_FAULT },
    { error: UNCLASSIFIED['error'] ?? null },
    { artifact_class: 'unclassified' },
    { artifact_class: 'private' },
    { result: { result_class: 'normal' } },
    { artifact_state: artifacts('recovery_written', 'written', 'written') },
    { artifact_state: artifacts('written', 'written', 'recovery_written') },
    { artifact_state: artifacts('written', 'written', 'finalization_uncertain') },
    { artifact_state: artifacts('lost', 'written', 'written') },
    executed({ outcome: 'error' }),
    executed({ outcome: 'error', diagnostic: TEXT_FAULT }),
    executed({ outcome: 'error', diagnostic: UNCERTAIN['error'] ?? null }),
    executed({ outcome: 'ok', diagnostic: CLASSIFIED['error'] ?? null }),
    executed({ state: 'not_started' }),
    executed({ state: 'running' }),
    { execution: { ...INCOMPLETE, last_evaluation_error: { kind: 'runtime_error', message: 'x' } } },
    { execution: { ...INCOMPLETE, last_evaluation_error: { kind: 'type_error', message: '' } } },
    { execution: { ...INCOMPLETE, last_evaluation_error: { kind: 'type_error', message: 'x'.repeat(1025) } } },
  );
  yield* changed(
    RECOVERED,
    'recovery written',
    { error: UNCERTAIN['error'] ?? null },
    { artifact_state: artifacts('written', 'recovery_written', 'recovery_written') },
    { artifact_class: 'unclassified' },
    { execution: { ...INCOMPLETE, last_evaluation_error: LAST_ERROR } },
  );
  yield* changed(
    UNCERTAIN,
    'finalization uncertain',
    { secondary_errors: [] },
    { secondary_errors: [RECOVERED['error'] ?? null] },
  );
  yield* changed(
    UNCLASSIFIED,
    'unclassified',
    { execution: INCOMPLETE },
    { secondary_errors: [UNCLASSIFIED['error'] ?? null] },
    { artifact_state: artifacts('written', 'not_requested', 'not_requested') },
    { artifact_class: 'normal' },
    { error: CAPACITY_FAILURE['error'] ?? null },
    { error: { ...diagnostic('internal', 'internal_error', 'an internal error occurred'), provider_activity: true } },
    { error: CLASSIFIED['error'] ?? null },
  );
  yield* changed(
    CAPACITY_FAILURE,
    'capacity',
    { execution: FINISHED_OK },
    { secondary_errors: [CLASSIFIED['error'] ?? null] },
    { artifact_class: 'unclassified' },
    { artifact_class: 'private', execution: { ...INCOMPLETE, last_evaluation_error: LAST_ERROR } },
    { artifact_state: artifacts('failed', 'not_requested', 'not_requested') },
  );
  yield {
    name: 'an internal failure that never ran is unclassified',
    value: runFailure(diagnostic('internal', 'internal_error', 'an internal error occurred')),
  };
}

const PROJECT_FAULT = diagnostic('project', 'project_schema_invalid', 'the project document is invalid', {
  source: { kind: 'project', name: 'svc-project.json' },
});

/** Faults of the general shape. */
function* diagnosticMisses(): Generator<Fixture> {
  const wrong: readonly Fields[] = [
    { phase: 'cleanup' },
    { code: 'no_such_code' },
    { message: null },
    { source: { kind: 'project', name: 'my-project.json' } },
    { source: { kind: 'component', name: '/etc/passwd' } },
    { source: { kind: 'component', name: '../main.clj' } },
    { source: { kind: 'component', name: '' } },
    { source: { kind: 'component', name: Array.from({ length: 17 }, () => 'a').join('/') } },
    { source: { kind: 'stdin', name: 'svc.json' } },
    { source: RUNTIME['name'] ?? null },
    { path: 'limits' },
    { path: '/a~2b' },
    { path: '/x'.repeat(4097) },
    { span: { start_byte: -1, end_byte: 0 } },
    { span: { start_byte: 0.5, end_byte: 1 } },
    { span: [0, 1] },
    { subject: { kind: 'provider', name: 'Tools', operation: 'local', occurrence: null } },
    { subject: { kind: 'mission', name: 'tools', operation: 'local', occurrence: null } },
    { subject: { kind: 'provider', name: 'tools', operation: 'selection', occurrence: null } },
    {
      subject: {
        kind: 'provider',
        name: 'tools',
        operation: 'cleanup',
        occurrence: { destination: 'workflow', index: 0 },
      },
    },
    {
      subject: { kind: 'provider', name: 'tools', operation: 'local', occurrence: { destination: 'viewer', index: 0 } },
    },
    {
      subject: {
        kind: 'provider',
        name: 'tools',
        operation: 'local',
        occurrence: { destination: 'workflow', index: -1 },
      },
    },
    { notes: null },
    { retryable: 'false' },
    { provider_activity: null },
    { cause: null },
    { cause: 'unknown' },
  ];
  const [envelope] = changed({ ...DOCTOR_FAILURE }, '', {});
  if (envelope === undefined || !isFields(envelope.value)) return;
  for (const members of wrong)
    yield* changed(envelope.value, 'general diagnostic', { error: { ...PROJECT_FAULT, ...members } });
}

function* doctorMisses(): Generator<Fixture> {
  const { result } = DOCTOR_FAILURE;
  if (result === undefined || !isFields(result)) return;
  const checks = result['checks'];
  if (!Array.isArray(checks)) return;
  const rows: readonly Plain[] = checks;
  const withChecks = (...changedRows: readonly Plain[]): Fields => ({ result: { ...result, checks: changedRows } });
  yield* changed(
    DOCTOR_FAILURE,
    'doctor',
    { secondary_errors: SEVEN },
    { result: { ...result, readiness: 'ready' } },
    { result: { ...result, usage: { llm_usage_state: 'unavailable', llm_usage: [] } } },
    {
      result: {
        ...result,
        model_aliases: [{ alias: 'a', source: 'mcp', installation_revision: 'r', default: null, selected: true }],
      },
    },
    {
      result: {
        ...result,
        model_aliases: [
          {
            alias: 'a',
            source: 'llm',
            installation_revision: 'r',
            default: null,
            selected: true,
            model_selector: 'openai-compat:https://x|m',
          },
        ],
      },
    },
    withChecks(...rows.slice(0, 2)),
    withChecks(...rows.slice(1)),
    withChecks(...rows.slice(0, 3).toReversed()),
    withChecks(...rows.with(0, { name: 'runtime', status: 'fail', code: 'unsupported' })),
    withChecks(...rows.with(1, { name: 'application', status: 'skipped', code: 'not_requested' })),
    withChecks(...rows.with(3, { name: 'provider/tools/local', status: 'fail', code: 'authorization_required' })),
    withChecks(...rows.with(3, { name: 'provider/tools/health', status: 'pass', code: 'available' })),
    withChecks(...rows.with(4, { name: 'provider/tools/selection', status: 'pass', code: 'available' })),
    withChecks(...rows, ...Array.from({ length: 1020 }, () => rows[3] ?? null)),
    withChecks(...rows, { name: 'viewer', status: 'pass', code: 'available' }),
  );
}

function* resultMisses(): Generator<Fixture> {
  for (const { name, value } of validEnvelopes()) {
    if (!isFields(value) || value['status'] !== 'ok' || value['command'] === 'run') continue;
    const { result } = value;
    if (result === undefined || !isFields(result)) continue;
    for (const [key, acquired] of Object.entries(result)) {
      const wrong: Plain =
        typeof acquired === 'string'
          ? ''
          : typeof acquired === 'number'
            ? -1
            : typeof acquired === 'boolean'
              ? 'no'
              : 7;
      yield* changed(value, name, { result: { ...result, [key]: wrong } });
    }
    yield* changed(
      value,
      name,
      { command: 'unknown' },
      { warnings: [WARNING] },
      { secondary_errors: [PROJECT_FAULT] },
      { result: null },
    );
    const pages = result['pages'];
    if (Array.isArray(pages))
      yield* changed(value, name, { result: { pages: pages.toReversed() } }, { result: { pages: pages.slice(1) } });
    const created = result['created'];
    if (Array.isArray(created))
      yield* changed(
        value,
        name,
        { result: { created: created.slice(1) } },
        { result: { created: created.toReversed() } },
      );
  }
}

export function* invalidEnvelopes(): Generator<Fixture> {
  for (const fixture of validEnvelopes()) {
    yield* structuralOf(fixture);
    yield* wordsOf(fixture);
  }
  yield* runMisses();
  yield* diagnosticMisses();
  yield* doctorMisses();
  yield* resultMisses();
  for (const value of [null, true, 5, 'envelope', [], {}])
    yield { name: `no envelope: ${JSON.stringify(value)}`, value };
}
