import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { profileDescription } from '../../../supervisor/api/sessions.ts';
import type { CommandEnd } from '../../ending/command-end.ts';
import { jsonLine } from './json-lines.ts';

/** The static contract of a profile; nothing is opened for it (cli.md §11, `--describe-profile`). */
export function describedProfile(id: string, format: string): CommandEnd {
  const contract = profileDescription(id);
  if (format === 'jsonl') return { kind: 'text', text: jsonLine('profile', Object.fromEntries(contract)) };
  const members = [...contract].map(([name, value]) => `:${name} ${clojureText(value)}`);
  return { kind: 'text', text: `{${members.join('\n ')}}\n` };
}

/** As the language writes it, with keywords for names. */
function clojureText(value: JsonValue): string {
  if (value === null) return 'nil';
  if (Array.isArray(value)) return `[${value.map(clojureText).join(' ')}]`;
  if (isJsonObject(value))
    return `{${[...value].map(([name, member]) => `:${name} ${clojureText(member)}`).join(', ')}}`;
  return canonicalJson(value);
}
