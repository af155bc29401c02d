import { NAME } from '../../diagnostics/grammar.ts';
import {
  CHECK_STATUSES,
  DOCTOR_BOUNDS,
  FAILED_CHECKS,
  HIDDEN_SELECTOR_PREFIX,
  MODEL_SOURCES,
  PROVIDER_CHECKS,
  READINESS,
  READY_CHECKS,
  SYSTEM_CHECKS,
  type CheckName,
  type CheckTable,
} from '../doctor.ts';
import { ALIAS_ROWS } from './usage.ts';
import {
  BOOLEAN,
  NULL,
  anyOf,
  array,
  constant,
  object,
  oneOfValues,
  orNull,
  pattern,
  tuple,
  type SchemaNode,
} from './nodes.ts';

/** The report of doctor in the schema (interface.md §1.2.10; providers.md §12). */

/** A selector that may be shown. */
export const SELECTOR: SchemaNode = {
  type: 'string',
  minLength: 1,
  maxLength: DOCTOR_BOUNDS.selectorLength,
  pattern: `^(?!${HIDDEN_SELECTOR_PREFIX})`,
};

function row(table: CheckTable, check: CheckName, name: SchemaNode): readonly SchemaNode[] {
  return CHECK_STATUSES.filter((status) => table[check][status].length > 0).map((status) =>
    object({ name, status: constant(status), code: oneOfValues(table[check][status]) }),
  );
}

function report(table: CheckTable, readiness: readonly string[]): SchemaNode {
  return object({
    checks: tuple(
      SYSTEM_CHECKS.map((check) => anyOf(row(table, check, constant(check)))),
      anyOf(PROVIDER_CHECKS.flatMap((check) => row(table, check, pattern(`provider/${NAME}/${check}`)))),
      DOCTOR_BOUNDS.checks,
    ),
    model_aliases: array(
      object(
        {
          alias: pattern(NAME),
          source: oneOfValues(MODEL_SOURCES),
          installation_revision: pattern(NAME),
          default: orNull(BOOLEAN),
          selected: BOOLEAN,
        },
        { model_selector: SELECTOR },
      ),
      { maxItems: DOCTOR_BOUNDS.modelAliases },
    ),
    provider_activity: BOOLEAN,
    readiness: oneOfValues(readiness),
    usage: anyOf([
      object({ llm_usage_state: constant('available'), llm_usage: ALIAS_ROWS }),
      object({ llm_usage_state: constant('unavailable'), llm_usage: NULL }),
    ]),
  });
}

export const FAILED_REPORT = report(FAILED_CHECKS, ['failed']);
export const READY_REPORT = report(READY_CHECKS, READINESS);
