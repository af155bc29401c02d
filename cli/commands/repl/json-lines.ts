import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { JsonValue } from '../../../contract/json/value.ts';

export type JsonLineType = 'session-started' | 'evaluation' | 'session-closed' | 'command-error' | 'profile';

/**
 * One object of `--format jsonl`, with its line end (cli.md §11, JSON Lines). Members that are undefined are left out.
 */
export function jsonLine(type: JsonLineType, members: Readonly<Record<string, JsonValue | undefined>>): string {
  const input = Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return `${canonicalJson(new Map<string, JsonValue>([...input, ['schema_version', 1], ['type', type]]))}\n`;
}
