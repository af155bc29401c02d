/**
 * The closed vocabularies of a diagnostic (interface-1.md, "Diagnostic", "Source", "Subject"). The JSON Schema of the
 * envelope and the types are both made from these lists.
 */

export const PHASES = [
  'arguments',
  'project',
  'host',
  'application',
  'bundle',
  'provider_declaration',
  'destination',
  'local_preflight',
  'active_preflight',
  'provider_acquisition',
  'execution',
  'result_cleanup',
  'publication',
  'internal',
] as const;
export type Phase = (typeof PHASES)[number];

export const CAUSES = [
  'lock_timeout',
  'filesystem_error',
  'permission',
  'unexpected_exception',
  'subprocess_failed',
  'invalid_configuration',
  'resource_unavailable',
  'destination_exists',
] as const;
export type Cause = (typeof CAUSES)[number];

/** Source kinds whose name is a constant: the file of that role, whatever the caller called it. */
export const FIXED_SOURCE_NAMES = {
  project: 'svc-project.json',
  host: 'svc-host.json',
  application: 'svc.json',
  external_input: 'input.json',
  component_override: 'component-override.json',
  runtime: 'svc-runtime',
} as const;
export type FixedSourceKind = keyof typeof FIXED_SOURCE_NAMES;

/** Source kinds named by a logical path or a library id. */
export const LOGICAL_SOURCE_KINDS = ['input_contract', 'result_contract', 'phase_return_contract', 'component'] as const;
export type LogicalSourceKind = (typeof LOGICAL_SOURCE_KINDS)[number];

export type SourceKind = FixedSourceKind | LogicalSourceKind;

export function isFixedSourceKind(kind: SourceKind): kind is FixedSourceKind {
  return kind in FIXED_SOURCE_NAMES;
}

export const DESTINATIONS = ['workflow', 'mission'] as const;
export type Destination = (typeof DESTINATIONS)[number];

/** Provider occurrences are numbered 0..31 (interface-1.md, "Subject"). */
export const OCCURRENCE_INDEX_MAX = 31;

/** Which occurrences each operation may carry in the general shape (interface-1.md, "Subject"). */
export const OPERATION_OCCURRENCES = {
  declaration: 'either',
  selection: 'object',
  local: 'either',
  application: 'null',
  credentials: 'null',
  authorization: 'either',
  connectivity: 'object',
  acquisition: 'object',
  execution: 'either',
  cleanup: 'null',
} as const satisfies Readonly<Record<string, OccurrenceRule>>;
export type Operation = keyof typeof OPERATION_OCCURRENCES;

/** `object`: an occurrence is required; `null`: none may be named. */
export type OccurrenceRule = 'object' | 'null' | 'either';

/** Characters of a diagnostic's pointer at most (interface-1.md, "Diagnostic"). */
export const PATH_LENGTH_MAX = 8192;
