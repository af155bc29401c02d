/**
 * The two kinds of message that a frame's header can be, and nothing else. Comlink's own messages (which can read, set
 * and construct anything reachable by a path) never travel: `endpoint.ts` translates at both ends.
 */

/** `arguments` holds all but the last argument, which is the frame's body. */
export interface CallHeader {
  readonly id: string;
  readonly method: string;
  readonly arguments: readonly string[];
}

/** The answer to a call; its text is the frame's body. */
export interface ReplyHeader {
  readonly id: string;
}

/** Comlink's ids: four hexadecimal numbers below 2^53. */
const ID = /^[0-9a-f]{1,14}(-[0-9a-f]{1,14}){3}$/;
const MAX_ARGUMENTS = 3;

/** The call a header states, or null for anything that is not exactly a call. */
export function parseCallHeader(header: string): CallHeader | null {
  const value = parseRecord(header, ['id', 'method', 'arguments']);
  if (value === null) return null;
  const { id, method, arguments: list } = value;
  if (!isId(id) || typeof method !== 'string' || !Array.isArray(list) || list.length > MAX_ARGUMENTS) return null;
  const texts: string[] = [];
  for (const item of list) {
    if (typeof item !== 'string') return null;
    texts.push(item);
  }
  return { id, method, arguments: texts };
}

/** The reply a header states, or null for anything that is not exactly a reply. */
export function parseReplyHeader(header: string): ReplyHeader | null {
  const value = parseRecord(header, ['id']);
  return value !== null && isId(value['id']) ? { id: value['id'] } : null;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** An object with exactly these members, or null. */
function parseRecord(text: string, members: readonly string[]): Record<string, unknown> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const record: Record<string, unknown> = Object.assign(Object.create(null), value);
  const names = Object.keys(value);
  if (names.length !== members.length || !members.every((member) => names.includes(member))) return null;
  return record;
}
