/**
 * The string value of the first readable `kind` at the root of a text that is no admissible document: too long, too
 * deep, with a key twice (documents.md §6). Null when the text stops being JSON before one is found, or has none.
 * A scanner of its own: the strict parser gives up on such texts before it has a tree.
 */
export function firstRootKind(bytes: Uint8Array): string | null {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const at: Cursor = { text, index: 0 };
  take(at, SPACE);
  if (take(at, /\{/y) === null) return null;
  for (;;) {
    take(at, SPACE);
    const key = take(at, STRING);
    if (key === null || take(at, COLON) === null) return null;
    const kind = decodeString(key) === 'kind' ? take(at, STRING) : null;
    if (kind !== null) return decodeString(kind);
    if (!skipValue(at)) return null;
    take(at, SPACE);
    if (take(at, /,/y) === null) return null;
  }
}

interface Cursor {
  readonly text: string;
  index: number;
}

const SPACE = /[ \t\n\r]*/y;
const COLON = /[ \t\n\r]*:[ \t\n\r]*/y;
// eslint-disable-next-line no-control-regex -- a JSON string holds no raw control characters
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** What may stand between two strings inside a nested container. */
const INNER = /[^"[\]{}]+/y;

/** The text that an expression matches right here, null for none; an empty match is a match. */
function take(at: Cursor, expression: RegExp): string | null {
  expression.lastIndex = at.index;
  const found = expression.exec(at.text)?.[0];
  if (found === undefined) return null;
  at.index += found.length;
  return found;
}

function decodeString(token: string): string | null {
  const decoded: unknown = JSON.parse(token);
  return typeof decoded === 'string' ? decoded : null;
}

/** Steps over one value; containers are only balanced, not checked. */
function skipValue(at: Cursor): boolean {
  if (take(at, STRING) !== null || take(at, SCALAR) !== null) return true;
  let depth = 0;
  do {
    if (take(at, /[[{]/y) !== null) depth += 1;
    else if (take(at, /[\]}]/y) !== null) depth -= 1;
    else if (take(at, STRING) === null && take(at, INNER) === null) return false;
  } while (depth > 0);
  return depth === 0;
}
