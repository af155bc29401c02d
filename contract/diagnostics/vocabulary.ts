/**
 * The closed vocabularies of a diagnostic (interface.md §1.2.3, §1.2.4, §1.2.5). The JSON Schema of the
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
/** When in the life of a command something failed (interface.md §1.7). */
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
/** Whose part it is to mend it (interface.md §1.7). */
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
/** A kind of source that has one name. */
export type FixedSourceKind = keyof typeof FIXED_SOURCE_NAMES;

/** Source kinds named by a logical path or a library id. */
export const LOGICAL_SOURCE_KINDS = [
  'input_contract',
  'result_contract',
  'phase_return_contract',
  'component',
] as const;
/** A kind of source whose name is that of a file within the application. */
export type LogicalSourceKind = (typeof LOGICAL_SOURCE_KINDS)[number];

/** Any kind of source. */
export type SourceKind = FixedSourceKind | LogicalSourceKind;

/** Whether sources of this kind have one published name, so that nothing of a document names them. */
export function isFixedSourceKind(kind: SourceKind): kind is FixedSourceKind {
  return kind in FIXED_SOURCE_NAMES;
}

export const DESTINATIONS = ['workflow', 'mission'] as const;
/** Whose providers they are: those of the workflow, or of missions. */
export type Destination = (typeof DESTINATIONS)[number];

/** Provider occurrences are numbered 0..31 (interface.md §1.2.5). */
export const OCCURRENCE_INDEX_MAX = 31;

/** Which occurrences each operation may carry in the general shape (interface.md §1.2.5). */
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
/** What was being done with a provider when it failed (interface.md §1.7). */
export type Operation = keyof typeof OPERATION_OCCURRENCES;

/** `object`: an occurrence is required; `null`: none may be named. */
export type OccurrenceRule = 'object' | 'null' | 'either';

/** Characters of a diagnostic's pointer at most (interface.md §1.2.3). */
export const PATH_LENGTH_MAX = 8192;
