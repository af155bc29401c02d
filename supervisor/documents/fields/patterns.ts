import { LOGICAL as LOGICAL_PATTERN, NAME as NAME_PATTERN } from '../../../contract/diagnostics/grammar.ts';
import type { TextPattern } from './shape.ts';

/** Patterns are written without anchors and hold for the whole string (documents.md, top). */
function pattern(source: string, words: string): TextPattern {
  return { source, words };
}

export const NAME = pattern(
  NAME_PATTERN,
  'a name: a lowercase letter, then up to 127 lowercase letters, digits, dots, underscores or hyphens',
);
export const LOGICAL = pattern(
  LOGICAL_PATTERN,
  'a relative path such as lib/main.clj: lowercase letters, digits, dots, underscores and hyphens, segments joined by /, none beginning with a dot',
);
/** From the folder of the file that holds it; it may lead up from there (first-day.md §2). */
export const RELATIVE_PATH = pattern('[^/\\u0000][^\\u0000]*', 'a path relative to the folder of this file');
export const TAG = pattern('[A-Za-z0-9][A-Za-z0-9._-]*', 'a word of letters, digits, dots, dashes and underscores');
/** One line. */
export const CASE_NAME = pattern(
  '[^\\s\\u0000-\\u001f\\u007f-\\u009f](?:[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f])?',
  'a name on one line, without white space at its ends',
);
export const DIGEST = pattern('sha256:[0-9a-f]{64}', 'sha256: and 64 lowercase hexadecimal digits');
/** `namespace/function` (documents.md §3). */
export const ENTRY = pattern(
  '[a-z][a-z0-9._-]{0,127}/[a-z][a-z0-9._?!-]{0,127}',
  'namespace/function, such as main/run, in lowercase',
);
export const ENVIRONMENT_NAME = pattern(
  '[A-Za-z_][A-Za-z0-9_]*',
  'the name of a variable: letters, digits and underscores, no digit first',
);
export const ABSOLUTE_PATH = pattern('/[^\\u0000]*', 'an absolute path');
/** What the operating system takes as a path or an argument. */
export const NO_NUL = pattern('[^\\u0000]+', 'a text without NUL');
/** Segments joined by single slashes, none `.` or `..` (documents.md §6). */
const PROJECT_SEGMENT = '(?!\\.{1,2}(?:/|$))[A-Za-z0-9._-]+';
export const PROJECT_PATH = pattern(
  `${PROJECT_SEGMENT}(?:/${PROJECT_SEGMENT})*`,
  'a relative path such as app/svc.json, without . or .. segments and without a slash at its end',
);
/** Text of a label, or its fingerprint (documents.md §3). */
export const LABEL = pattern(
  '[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,255}|sha256:[0-9a-f]{64}',
  'up to 256 letters, digits and ._:/@+-, the first a letter or digit',
);
export const RUN_ID = pattern(
  '[A-Za-z0-9][A-Za-z0-9._:-]{0,127}',
  'up to 128 letters, digits and ._:-, the first a letter or digit',
);
/** RFC 3339 in UTC; the calendar itself is checked where it is read. */
export const UTC_TIME = pattern(
  '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]{1,18})?(?:Z|\\+00:00)',
  'a time such as 2026-01-31T12:00:00Z',
);
/** An upstream tool: no white space, no control characters (documents.md §7). */
export const TOOL_NAME = pattern(
  '[^\\s\\u0000-\\u001f\\u007f-\\u009f]{1,128}',
  'the name of a tool: up to 128 characters without white space',
);
/** An operation of an OpenAPI document: its `operationId`, or its method and path, or all of them. */
export const OPERATION = pattern(
  '(?:GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH) /[^\\s\\u0000-\\u001f\\u007f-\\u009f]*|[^\\s\\u0000-\\u001f\\u007f-\\u009f]{1,128}',
  'an operationId, or a method and a path such as GET /pets/{petId}, or * for all',
);
/** An HTTP field name. */
export const HEADER_NAME = pattern("[!#$%&'*+.^_`|~0-9A-Za-z-]+", 'the name of an HTTP header');
/** Names of headers that a model server is sent. */
export const MODEL_HEADER_NAME = pattern(
  "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}",
  'the name of an HTTP header, of at most 256 characters',
);
/** What a header carries, as a document writes it. */
export const HEADER_VALUE = pattern(
  '[!-~](?:[ -~]*[!-~])?',
  'the value of an HTTP header: printable ASCII, no space at either end',
);
export const QUERY_NAME = pattern(
  '[^\\s\\u0000-\\u001f\\u007f-\\u009f]{1,256}',
  'the name of a query parameter: up to 256 characters without white space',
);
/** The authority of a URL alone: no login, no path. */
const PROXY_URL = 'https?://(?:\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(?::[1-9][0-9]{0,4})?/?';
export const PROXY_ADDRESS = pattern(
  PROXY_URL,
  'the URL of a proxy, such as http://proxy.example:3128, without a login and a path',
);
export const PROXY = pattern(
  `environment|${PROXY_URL}`,
  '"environment", or the URL of a proxy such as http://proxy.example:3128, without a login and a path',
);
/** Printable ASCII without space, quote and backslash. */
export const SCOPE = pattern('[!#-\\[\\]-~]+', 'a scope: printable ASCII without space, quote and backslash');
export const DECIMAL = pattern('(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?', 'a decimal number in a text, such as "0.25"');
export const LOOPBACK_PATH = pattern(
  '/(?!/)[^?#\\s\\u0000-\\u001f\\u007f]*',
  'a path such as /callback, without query',
);
export const GATEWAY_TOOL = pattern('[a-zA-Z0-9_.-]{1,128}', 'up to 128 letters, digits and _.-');
export const SNAPSHOT_PIN = pattern(
  '(?:workflow|mission)/[a-z][a-z0-9._-]{0,127}',
  'workflow/ or mission/ and the name of a provider',
);
/** No NUL, CR or LF (documents.md §8). */
export const ONE_LINE = pattern('[^\\u0000\\r\\n]+', 'a text of one line');

const compiled = new Map<TextPattern, RegExp>();

/** The pattern as a test of a whole string; `$` without the multiline flag is the true end. */
export function matches(pattern: TextPattern, value: string): boolean {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    expression = new RegExp(`^(?:${pattern.source})$`, 'u');
    compiled.set(pattern, expression);
  }
  return expression.test(value);
}
