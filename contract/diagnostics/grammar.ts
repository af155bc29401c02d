/**
 * Regular expression sources shared by message grammars, the envelope schema and the builders. All are written for
 * use between `^` and `$`, without property escapes, so that validators of other languages read them the same way.
 */

/** Names of installations, missions, limits rows of a host: NAME of documents.md. */
export const NAME = '[a-z][a-z0-9._-]{0,127}';

/** A logical path: LOGICAL of documents.md, at most 16 segments. */
export const LOGICAL = '[a-z0-9][a-z0-9._-]{0,127}(/[a-z0-9][a-z0-9._-]{0,127}){0,15}';

/** RFC 6901: empty, or segments that each start with a slash. */
export const POINTER = '(?:/(?:[^~/]|~[01])*)*';

/** White space, control and invisible formatting characters, lone surrogates: never part of a printed name. */
const UNPRINTABLE =
  '\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f' +
  '\\u205f-\\u206f\\u3000\\ud800-\\udfff\\ufeff\\ufff9-\\uffff';

/** One symbol of svc-lisp (language.md §2) of up to 128 characters. */
export const SYMBOL = `(?![0-9'#]|[+-][0-9])[^${UNPRINTABLE},";@^\`~\\\\()\\[\\]{}]{1,128}`;

/** An upstream tool name as printed between quotes: quote and backslash are escaped (interface.md §2.5). */
export const ESCAPED_TOOL_NAME = `(?:[^${UNPRINTABLE}"\\\\]|\\\\["\\\\]){1,128}`;

/** A decimal count up to 9007199254740991 (16 digits), without leading zeros. */
export const COUNT_PATTERN = '(?:0|[1-9][0-9]{0,15})';

/** A decimal integer of either sign, 64-bit at most. */
export const INTEGER = '(?:0|-?[1-9][0-9]{0,18})';

/** Milliseconds or evaluations of a printed limit: 1..2592000000 (interface.md §2.5). */
export const PRINTED_LIMIT = '(?:[1-9][0-9]{0,8}|1[0-9]{9}|2[0-4][0-9]{8}|25[0-8][0-9]{7}|259[01][0-9]{6}|2592000000)';

/** Agent turns: 1..128 (interface.md §2.5). */
export const TURNS = '(?:[1-9][0-9]?|1[01][0-9]|12[0-8])';

/** The name of a limit row (documents.md §5). */
export const LIMIT_NAME = '[a-z][a-z_]{2,63}';

/**
 * Words owned by a schema: property names, enum members, constants. Printable ASCII without space, comma, semicolon.
 */
export const SCHEMA_WORD = '[!-+.-:<-~\\-]{1,128}';

/** `items` joined by comma and space, `least` to `most` of them. */
export function listOf(item: string, least: number, most: number): string {
  return `${item}(?:, ${item}){${least - 1},${most - 1}}`;
}

/** Escapes fixed text for use inside a pattern. */
export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, (character) => (character === '/' ? '/' : `\\${character}`));
}

/** Compiles a pattern of this file as JSON Schema does: unicode mode, anchored at the true ends. */
export function wholeMatch(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, 'u');
}
