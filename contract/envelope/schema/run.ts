import { NAME } from '../../diagnostics/grammar.ts';
import { RUN_REFERENCE_PATTERN, WARNING_MODEL_LENGTH_MAX } from '../build.ts';
import {
  ARTIFACT_STATES,
  ENVELOPE_VERSION,
  MODEL_UNCATALOGED,
  SECONDARY_ERRORS_MAX,
  SUCCESS_STATES,
  UNPUBLISHED_STATES,
  WARNINGS_MAX,
  type ArtifactClass,
} from '../types.ts';
import { CLASSIFIED, RECOVERY, UNCERTAIN, classifiedList } from './diagnostics.ts';
import {
  ANY,
  EMPTY,
  anyOf,
  array,
  constant,
  object,
  oneOfValues,
  orNull,
  pattern,
  reference,
  string,
  type SchemaNode,
} from './nodes.ts';
import { FINISHED_OK, NOT_STARTED, executions } from './usage.ts';

/** Run envelopes in the schema (interface.md §1.2.9; runtime.md §3). */

export const WARNING_DEFINITION = object({
  code: constant('model_uncataloged'),
  message: constant(MODEL_UNCATALOGED),
  provider: pattern(NAME),
  model: orNull(string(1, WARNING_MODEL_LENGTH_MAX)),
});
export const WARNINGS = array(reference('warning'), { maxItems: WARNINGS_MAX });

/** The members that every envelope begins with (interface.md). */
export function head(command: string, status: 'ok' | 'error'): Readonly<Record<string, SchemaNode>> {
  return {
    schema_version: constant(ENVELOPE_VERSION),
    command: constant(command),
    status: constant(status),
    run_ref: pattern(RUN_REFERENCE_PATTERN),
  };
}

function states(all: readonly string[], result: readonly string[] = all): SchemaNode {
  return object({ trace: oneOfValues(all), inspection: oneOfValues(all), result: oneOfValues(result) });
}

const SUCCESS = { ...head('run', 'ok'), secondary_errors: EMPTY, warnings: WARNINGS, execution: FINISHED_OK };
const FAILURE = { ...head('run', 'error'), warnings: WARNINGS };

function capacity(artifactClass: ArtifactClass): SchemaNode {
  return object({
    ...FAILURE,
    error: reference('capacity_diagnostic'),
    secondary_errors: EMPTY,
    artifact_state: states(UNPUBLISHED_STATES),
    artifact_class: constant(artifactClass),
    execution: executions(artifactClass).begun,
  });
}

/**
 * An internal failure without provider activity before the execution began leaves the run unclassified (runtime.md §3);
 * once it began, the same diagnostic is classified (runtime.md §3).
 */
const BEFORE_BEGINNING: SchemaNode = {
  type: 'object',
  properties: {
    error: { type: 'object', properties: { phase: constant('internal'), provider_activity: constant(false) } },
    execution: { type: 'object', properties: { state: constant('not_started') } },
  },
};

function classified(artifactClass: ArtifactClass, result: readonly string[]): SchemaNode {
  const members = object({
    ...FAILURE,
    error: CLASSIFIED,
    secondary_errors: classifiedList(SECONDARY_ERRORS_MAX),
    artifact_state: states(ARTIFACT_STATES, result),
    artifact_class: constant(artifactClass),
    execution: executions(artifactClass).any,
  });
  return { ...members, not: BEFORE_BEGINNING };
}

/** The classified failure whose result state has to be explained by one of its diagnostics. */
function explained(artifactClass: ArtifactClass, result: string, by: SchemaNode): SchemaNode {
  return {
    ...classified(artifactClass, [result]),
    anyOf: [
      { type: 'object', properties: { error: by } },
      { type: 'object', properties: { secondary_errors: { type: 'array', contains: by } } },
    ],
  };
}

/** One closed definition for each variant of a run's envelope, by its name (interface.md §1.2.9). */
export function runVariants(): Readonly<Record<string, SchemaNode>> {
  const variants: Record<string, SchemaNode> = {
    run_success_normal: object({
      ...SUCCESS,
      result: object({ result_class: constant('normal') }, { value: ANY }),
      artifact_class: constant('normal'),
      artifact_state: states(SUCCESS_STATES),
    }),
    run_success_private: object({
      ...SUCCESS,
      result: object({ result_class: constant('private') }),
      artifact_class: constant('private'),
      artifact_state: states(SUCCESS_STATES, ['written']),
    }),
    run_failure_unclassified: object({
      ...FAILURE,
      error: reference('unclassified_diagnostic'),
      secondary_errors: EMPTY,
      artifact_state: states(UNPUBLISHED_STATES),
      artifact_class: constant('unclassified'),
      execution: NOT_STARTED,
    }),
  };
  for (const artifactClass of ['normal', 'private'] as const) {
    variants[`run_failure_capacity_${artifactClass}`] = capacity(artifactClass);
    variants[`run_failure_classified_${artifactClass}`] = classified(artifactClass, ARTIFACT_STATES);
    variants[`run_failure_recovery_${artifactClass}`] = explained(artifactClass, 'recovery_written', RECOVERY);
    variants[`run_failure_uncertain_${artifactClass}`] = explained(artifactClass, 'finalization_uncertain', UNCERTAIN);
  }
  return variants;
}

/** Any of the definitions of these names. */
export function anyVariant(names: readonly string[]): SchemaNode {
  return anyOf(names.map(reference));
}
