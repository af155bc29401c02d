import { DOCUMENTS, type DocumentName } from './base.ts';
import { expanded } from './contents.ts';

export function isDocumentName(name: string): name is DocumentName {
  return Object.hasOwn(DOCUMENTS, name);
}

/** Takes the member away. */
const ABSENT = '$absent';

/**
 * The documents that take part, after edits such as `"host /install/model/model": 1`. The value `"$absent"` removes a
 * member; an array index equal to the length appends; keys hold no slash. Values may be generated (contents.ts).
 */
export function editedDocuments(
  edits: Readonly<Record<string, unknown>>,
  uses: readonly DocumentName[],
): ReadonlyMap<DocumentName, unknown> {
  const documents = new Map<DocumentName, unknown>();
  for (const name of ['manifest', ...uses] as const) documents.set(name, DOCUMENTS[name]);
  for (const [edit, value] of Object.entries(edits)) {
    const [, name = '', pointer = ''] = /^([a-z]+) ?(.*)$/u.exec(edit) ?? [];
    if (!isDocumentName(name)) throw new TypeError(`no document in ${edit}`);
    documents.set(name, edited(documents.get(name) ?? DOCUMENTS[name], pointer.split('/').slice(1), value));
  }
  return documents;
}

function edited(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return expanded(replacement);
  if (typeof value !== 'object' || value === null) throw new TypeError(`nothing has a member ${key}`);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.toSpliced(Number(key), 1, edited(items[Number(key)], rest, replacement));
  }
  const members = new Map(Object.entries(value));
  if (rest.length === 0 && replacement === ABSENT) members.delete(key);
  else members.set(key, edited(members.get(key), rest, replacement));
  return Object.fromEntries(members);
}
