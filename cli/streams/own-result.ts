import { ENVELOPE_VERSION } from '../../contract/envelope/types.ts';
import { canonicalJson } from '../../contract/json/canonical.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import type { CommandName } from '../declaration/table.ts';

/**
 * What `--json` prints of a command that has no envelope (cli.md §12.1): an object of the same shape, with the name of
 * that command. It is never a file, and the schema of envelopes does not list it.
 */
export function ownResultLine(command: CommandName, runRef: RunReference, result: JsonValue): string {
  const members: readonly (readonly [string, JsonValue])[] = [
    ['command', command],
    ['result', result],
    ['run_ref', runRef],
    ['schema_version', ENVELOPE_VERSION],
    ['secondary_errors', []],
    ['status', 'ok'],
    ['warnings', []],
  ];
  return `${canonicalJson(new Map(members))}\n`;
}
