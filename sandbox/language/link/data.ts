import { LispError } from '../../runtime/errors.ts';
import { JsonFault, readJson } from '../../runtime/json/read.ts';
import type { Session } from './session.ts';

/** Granted names that a message lists (language.md §14). */
const LISTED = 32;

/** Grants as values. Their texts are the supervisor's own, so one that is no JSON is a fault of the host. */
export function grantedData(texts: Readonly<Record<string, string>>): Map<string, unknown> {
  const data = new Map<string, unknown>();
  for (const [name, text] of Object.entries(texts)) {
    const value = readJson(text);
    if (value instanceof JsonFault) throw new TypeError(`the grant of data/${name} is no JSON`);
    data.set(name, value);
  }
  return data;
}

/** `data/<name>`: what was granted; absent it is nil in a workflow and an error in a mission. */
export function dataValue(session: Session, name: string): unknown {
  const { data } = session;
  const exact = data.get(name);
  if (exact !== undefined) return exact;
  const underscored = data.get(name.replaceAll('-', '_'));
  if (underscored !== undefined) return underscored;
  if (session.environment === 'workflow') return null;
  const granted = [...data.keys()].toSorted().slice(0, LISTED);
  const list =
    granted.length === 0 ? 'nothing is granted' : `granted: ${granted.map((key) => `data/${key}`).join(', ')}`;
  throw new LispError('runtime_error', 'java.lang.IllegalStateException', `No such data: data/${name}; ${list}`);
}
