import { CODES_BY_PHASE } from './codes.ts';
import { EXECUTION_ROWS, PRINTED_ROWS, type Activity } from './printed.ts';
import {
  NAME,
  anything,
  both,
  closed,
  count,
  either,
  emptyList,
  is,
  isFields,
  like,
  list,
  member,
  nothing,
  text,
  whole,
  yesOrNo,
  type Check,
} from './shape.ts';

/** The general shape of a diagnostic (interface.md) and the classified entries (interface.md §2.5). */

const CAUSES = [
  'lock_timeout',
  'filesystem_error',
  'permission',
  'unexpected_exception',
  'subprocess_failed',
  'invalid_configuration',
  'resource_unavailable',
  'destination_exists',
];
const RETRYABLE: ReadonlySet<string> = new Set([
  'schema_validation_unavailable',
  'authorization_unavailable',
  'connectivity_unavailable',
  'connectivity_rate_limited',
  'provider_acquisition_timeout',
  'provider_endpoint_connection_refused',
  'llm_rate_limited',
  'llm_timeout',
  'llm_provider_unavailable',
]);
const POINTER = /^(\/([^~/]|~[01])*)*$/;
const LOGICAL = /^[a-z0-9][a-z0-9._-]{0,127}(\/[a-z0-9][a-z0-9._-]{0,127}){0,15}$/;

const fixedSource = (kind: string, name: string): Check => closed({ kind: is(kind), name: is(name) });
const runtimeSource = fixedSource('runtime', 'svc-runtime');
const namedSource = (...kinds: readonly string[]): Check => closed({ kind: is(...kinds), name: like(LOGICAL, 1024) });
const source = either(
  nothing,
  fixedSource('project', 'svc-project.json'),
  fixedSource('host', 'svc-host.json'),
  fixedSource('application', 'svc.json'),
  fixedSource('external_input', 'input.json'),
  namedSource('input_contract', 'result_contract', 'phase_return_contract', 'component'),
  fixedSource('component_override', 'component-override.json'),
  runtimeSource,
);

const span: Check = (value, at, report) => {
  closed({ start_byte: count, end_byte: count })(value, at, report);
  if (Number(member(value, 'start_byte')) > Number(member(value, 'end_byte')))
    report.push(`${at}: ends before it starts`);
};

const occurrence = closed({ destination: is('workflow', 'mission'), index: whole(0, 31) });
const occurrences: Readonly<Record<string, Check>> = {
  object: occurrence,
  null: nothing,
  either: either(nothing, occurrence),
};

function subject(operation: string, rule: string): Check {
  return closed({
    kind: is('provider'),
    name: like(NAME),
    operation: is(operation),
    occurrence: occurrences[rule] ?? nothing,
  });
}

const PAIRINGS =
  'declaration:either selection:object local:either application:null credentials:null authorization:either connectivity:object acquisition:object execution:either cleanup:null';

/** `-`, or pairs of operation and occurrence rule. */
function subjects(words: string): Check {
  if (words === '-') return nothing;
  const pairs = words.split(' ').map((pair) => pair.split(':'));
  return either(...pairs.map(([operation = '', rule = '']) => subject(operation, rule)));
}

const allCodes = Object.values(CODES_BY_PHASE).flat();
const path = either(nothing, like(POINTER, 8192));

/** Interface-1.md, "Diagnostic". */
export const generalDiagnostic: Check = closed(
  {
    phase: is(...Object.keys(CODES_BY_PHASE)),
    code: is(...allCodes),
    message: text(0),
    source,
    path,
    span: either(nothing, span),
    subject: either(nothing, subjects(PAIRINGS)),
    notes: list(anything, Infinity),
    retryable: yesOrNo,
    provider_activity: yesOrNo,
  },
  { cause: is(...CAUSES) },
);

interface Entry {
  readonly phase: string;
  readonly code: string;
  readonly retryable: boolean;
  readonly activity: Activity;
  readonly subject: Check;
  readonly message: Check;
}

/** A printed entry: no notes, no path, no cause; a span only beside the runtime as source. */
function printed(entry: Entry, form: 'none' | 'runtime'): Check {
  return closed({
    phase: is(entry.phase),
    code: is(entry.code),
    message: entry.message,
    source: form === 'none' ? nothing : runtimeSource,
    path: nothing,
    span: form === 'none' ? nothing : either(nothing, span),
    subject: entry.subject,
    notes: emptyList,
    retryable: is(entry.retryable),
    provider_activity: entry.activity === 'any' ? yesOrNo : is(entry.activity),
  });
}

const LIMIT = '(?:[1-9][0-9]*)';
const turnLimit: Check = (value, at, report) => {
  const turns =
    /^agent turn limit ([1-9][0-9]*) was exceeded; raise max_turns for this agent\.core\/run call, or reduce the work per turn$/.exec(
      String(value),
    );
  if (turns === null || Number(turns[1]) > 128) report.push(`${at}: not the agent turn text`);
};
const printedLimit: Check = (value, at, report) => {
  const expression = new RegExp(
    `^(?:subordinate_evaluations limit (${LIMIT}) was exceeded; raise the manifest or host ceiling, or reduce total subordinate evaluations or agent turns|(?:parallel|workflow)_timeout_ms limit (${LIMIT}) ms was exceeded during (?:compilation|execution))$`,
  );
  const found = expression.exec(String(value));
  if (found === null || Number(found[1] ?? found[2]) > 2_592_000_000) report.push(`${at}: not a printed limit text`);
};

const toolMissing = like(/^the installed endpoint does not expose declared tool "(?:[^\s\p{Cc}"\\]|\\["\\]){1,128}"$/u);
const SYMBOL = '[^\\s\\p{Cc},";@^\\u0060~\\\\()\\[\\]{}]{1,128}';
const requirementMissing = like(
  new RegExp(`^Missing capability requirement(?:: ${SYMBOL}|s: ${SYMBOL}(?:, ${SYMBOL}){1,7})$`, 'u'),
  1100,
);

const OTHER_TEXTS: Readonly<Record<string, Check>> = {
  provider_tool_missing: toolMissing,
  capability_requirement_missing: requirementMissing,
};

const classifiedChecks = new Map<string, Check>();
for (const [code, phase, retryable, activity, words, generic] of PRINTED_ROWS) {
  const other = OTHER_TEXTS[code];
  const message = other === undefined ? is(generic) : either(is(generic), other);
  classifiedChecks.set(code, printed({ phase, code, retryable, activity, subject: subjects(words), message }, 'none'));
}
for (const [code, retryable, generic] of EXECUTION_ROWS) {
  const entry: Entry = { phase: 'execution', code, retryable, activity: 'any', subject: nothing, message: is(generic) };
  classifiedChecks.set(code, either(printed(entry, 'none'), printed(entry, 'runtime')));
}

const generic = 'a runtime limit was exceeded';
const limit = {
  phase: 'execution',
  code: 'runtime_limit_exceeded',
  retryable: false,
  activity: 'any',
  subject: nothing,
} as const;
classifiedChecks.set(
  'runtime_limit_exceeded',
  either(
    printed({ ...limit, message: either(is(generic), turnLimit) }, 'none'),
    printed({ ...limit, message: either(is(generic), printedLimit) }, 'runtime'),
  ),
);

const replay = {
  phase: 'execution',
  code: 'replay_fixture_missing',
  retryable: false,
  activity: 'any',
  subject: nothing,
} as const;
const replayGeneric = is('no replay fixture matches the workflow request');
const replayHashed = like(/^no replay fixture matches this request \(request_hash: sha256:[0-9a-f]{64}\)$/);
classifiedChecks.set(
  'replay_fixture_missing',
  either(
    printed({ ...replay, message: replayGeneric }, 'none'),
    printed({ ...replay, message: either(replayGeneric, replayHashed) }, 'runtime'),
  ),
);

export const UNCLASSIFIED_PHASES = [
  'arguments',
  'project',
  'host',
  'application',
  'bundle',
  'provider_declaration',
  'destination',
  'internal',
];

/** Subjects of codes that interface.md §2.5 does not print (runtime.md §13). */
const UNPRINTED_SUBJECTS: Readonly<Record<string, Check>> = {
  provider_admission_unavailable: subjects('local:object'),
  model_contract_unsupported: subjects('local:object'),
  provider_acquisition_timeout: subjects('acquisition:object'),
  model_output_truncated: subjects('execution:null'),
  provider_cleanup_failed: either(nothing, subjects('cleanup:null')),
  provider_cleanup_timeout: either(nothing, subjects('cleanup:null')),
};
const UNPRINTED_SOURCES: Readonly<Record<string, Check>> = {
  invalid_agent_config: nothing,
  turn_limit_exceeded: nothing,
  phase_return_contract_failed: namedSource('phase_return_contract'),
  result_invalid: either(nothing, namedSource('result_contract')),
  result_contract_failed: either(nothing, namedSource('result_contract')),
  result_limit_exceeded: either(nothing, namedSource('result_contract')),
  declared_read_effect_invalid: fixedSource('application', 'svc.json'),
};
const PHASE_SOURCES: Readonly<Record<string, Check>> = {
  execution: either(nothing, runtimeSource),
  internal: either(nothing, runtimeSource),
};
const ALWAYS_ACTIVE: ReadonlySet<string> = new Set([
  'provider_acquisition_timeout',
  'provider_cleanup_failed',
  'provider_cleanup_timeout',
]);
const NEVER_ACTIVE: ReadonlySet<string> = new Set(['environment_file_invalid']);
const WITH_PATH: ReadonlySet<string> = new Set(['phase_return_contract_failed', 'result_contract_failed']);

/** Empty for a code that is none. */
export function phaseOf(code: string): string {
  return Object.entries(CODES_BY_PHASE).find(([, codes]) => codes.includes(code))?.[0] ?? '';
}

const spanBesideSource: Check = (value, at, report) => {
  if (member(value, 'span') !== null && member(value, 'source') === null) report.push(`${at}: a span without a source`);
};

/** What runtime.md §13 says of a code whose entry is not printed. */
function unprinted(code: string): Check {
  const phase = phaseOf(code);
  const sources = UNPRINTED_SOURCES[code] ?? PHASE_SOURCES[phase] ?? nothing;
  const active = ALWAYS_ACTIVE.has(code) || code === 'declared_read_effect_invalid';
  return both(
    closed(
      {
        phase: is(phase),
        code: is(code),
        message: text(1, 1100),
        source: sources,
        path: WITH_PATH.has(code) ? path : nothing,
        span: phase in PHASE_SOURCES && UNPRINTED_SOURCES[code] === undefined ? either(nothing, span) : nothing,
        subject: UNPRINTED_SUBJECTS[code] ?? nothing,
        notes: emptyList,
        retryable: is(RETRYABLE.has(code)),
        provider_activity: active ? is(true) : NEVER_ACTIVE.has(code) ? is(false) : yesOrNo,
      },
      { cause: is(...CAUSES) },
    ),
    spanBesideSource,
  );
}

/** A diagnostic of a classified run: printed ones to the letter. */
export const classifiedDiagnostic: Check = (value, at, report) => {
  const code = member(value, 'code');
  if (!isFields(value) || typeof code !== 'string' || !allCodes.includes(code)) {
    report.push(`${at}: not a diagnostic`);
    return;
  }
  const inert = UNCLASSIFIED_PHASES.includes(phaseOf(code));
  if (inert && code !== 'internal_error' && code !== 'declared_read_effect_invalid') {
    report.push(`${at}: this code leaves a run unclassified`);
    return;
  }
  (classifiedChecks.get(code) ?? unprinted(code))(value, at, report);
};

/** One of phase execution, as a finished execution carries it. */
export const executionDiagnostic: Check = (value, at, report) => {
  classifiedDiagnostic(value, at, report);
  if (member(value, 'phase') !== 'execution') report.push(`${at}: not of phase execution`);
};
