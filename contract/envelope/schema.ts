import type { HelpResult } from './results.ts';
import { DIAGNOSTIC_DEFINITIONS, GENERAL } from './schema/diagnostics.ts';
import { FAILED_REPORT } from './schema/doctor.ts';
import { EMPTY, array, object, type SchemaNode } from './schema/nodes.ts';
import { commandResults } from './schema/results.ts';
import { WARNINGS, WARNING_DEFINITION, anyVariant, head, runVariants } from './schema/run.ts';
import { USAGE_DEFINITIONS } from './schema/usage.ts';
import { RESULT_COMMANDS, SECONDARY_ERRORS_MAX } from './types.ts';

export type { SchemaNode } from './schema/nodes.ts';

export const ENVELOPE_SCHEMA_ID = 'urn:svc:schema:envelope:5';

const LISTS = { secondary_errors: EMPTY, warnings: EMPTY };

/** Readers accept a success without the two empty lists; writers always write them (cli.md §3). */
function plainVariants(help: readonly HelpResult[]): Readonly<Record<string, SchemaNode>> {
  const results = commandResults(help);
  const successes = RESULT_COMMANDS.map((command) => [
    `${command}_success`,
    object({ ...head(command, 'ok'), result: results[command] }, LISTS),
  ]);
  const failures = [...RESULT_COMMANDS, 'unknown'].map((command) => [
    `${command}_failure`,
    object({ ...head(command, 'error'), error: GENERAL, ...LISTS }),
  ]);
  return {
    ...Object.fromEntries([...successes, ...failures]),
    doctor_report_failure: object({
      ...head('doctor', 'error'),
      error: GENERAL,
      result: FAILED_REPORT,
      secondary_errors: array(GENERAL, { maxItems: SECONDARY_ERRORS_MAX }),
      warnings: WARNINGS,
    }),
  };
}

/**
 * The JSON Schema (2020-12) of the command envelope, made from the tables that the builders use.
 * `help`: the fixed help results of all topics (at least one), from the command declarations.
 */
export function envelopeSchema(help: readonly HelpResult[]): SchemaNode {
  if (help.length === 0) throw new TypeError('the envelope schema needs the help results');
  const variants = { ...plainVariants(help), ...runVariants() };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: ENVELOPE_SCHEMA_ID,
    title: 'svc command envelope, version 5',
    ...anyVariant(Object.keys(variants)),
    $defs: { ...variants, warning: WARNING_DEFINITION, ...USAGE_DEFINITIONS, ...DIAGNOSTIC_DEFINITIONS },
  };
}
