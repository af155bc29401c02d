import {
  aFunction,
  aSignal,
  anything,
  bytes,
  count,
  fits,
  flag,
  listOf,
  maybe,
  nonEmptyText,
  objectWith,
  recordOf,
  wordOf,
  type Check,
  type Members,
} from '../../platform/arguments/checks.ts';
import { anyText, limitOverrides, principalName } from '../../platform/arguments/run-members.ts';
import { DESCRIBED_NAMES, QUERY_LENGTH, SEARCH_LIMIT, VALUE_CHARS } from '../serve/definitions.ts';
import { SEARCHED } from '../index/room-index.ts';
import { ROOM_TOOLS_MAX } from './installed-tools.ts';
import { PROMPT_BYTES } from './prompt.ts';
import type {
  CodeRoom,
  CodeSession,
  CodeSessionOptions,
  EvaluateOptions,
  RestoreOptions,
  RoomComponent,
  SealingOptions,
  SessionTool,
} from './types.ts';

/** What the members of every call of a session are: one that is added to a type is asked for here. */

const KEY_BYTES = 32;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

const schema = fits(
  'a JSON Schema, or a Standard Schema that gives one',
  (value) =>
    typeof value === 'boolean' ||
    ((typeof value === 'object' || typeof value === 'function') &&
      value !== null &&
      !Array.isArray(value) &&
      typeof Reflect.get(value, 'then') !== 'function' &&
      (typeof value !== 'function' || Reflect.has(value, '~standard'))),
);
const approval = fits(
  "'never', 'writes', 'always' or a function",
  (value) => typeof value === 'function' || ['never', 'writes', 'always'].some((word) => word === value),
);
const TOOL: Members<SessionTool> = {
  description: nonEmptyText,
  inputSchema: schema,
  outputSchema: maybe(schema),
  effect: maybe(wordOf('read', 'write')),
  approval: maybe(approval),
  idempotent: maybe(flag),
  execute: aFunction,
};
const tools: Check = (value, place) => {
  recordOf(objectWith<SessionTool>(TOOL))(value, place);
  fits(`an object of ${ROOM_TOOLS_MAX} tools at most`, (input) => Object.keys(Object(input)).length <= ROOM_TOOLS_MAX)(
    value,
    place,
  );
};

type Library = Extract<RoomComponent, { readonly library: string }>;
const library = objectWith<Library>({ library: nonEmptyText });
const source = objectWith<Exclude<RoomComponent, Library>>({
  id: nonEmptyText,
  source: anyText,
  dependencies: maybe(listOf(nonEmptyText)),
});
const component: Check = (value, place) => {
  (typeof value === 'object' && value !== null && Reflect.has(value, 'library') ? library : source)(value, place);
};

const ROOM: Members<CodeRoom> = {
  tools: maybe(tools),
  data: maybe(recordOf(anything)),
  components: maybe(listOf(component)),
  limits: maybe(limitOverrides),
};
const withoutImport = without(
  'import',
  'a room without import: an application that supervisor.prepare takes has servers, in its host document',
);
const checkedRoom = objectWith<CodeRoom>(ROOM);
const room: Check = (value, place) => {
  withoutImport(value, place);
  checkedRoom(value, place);
};

/** What may come to have that member says what to use now. */
function without(member: string, words: string): Check {
  return fits(words, (value) => !(typeof value === 'object' && value !== null && Reflect.has(value, member)));
}

/** What `prepare` gave is reported by its digest. */
export function isPrepared(input: unknown): boolean {
  return typeof input === 'object' && input !== null && typeof Reflect.get(input, 'contentDigest') === 'string';
}

/** An application that was prepared, or a room. */
export const sessionSubject: Check = (value, place) => {
  if (!isPrepared(value)) room(value, place);
};

const sealKey = fits(
  `${KEY_BYTES} bytes (Uint8Array)`,
  (value) => value instanceof Uint8Array && value.length === KEY_BYTES,
);
/** `trace` and `inspection`; a value is reported to anyone who evaluates. */
const artifacts = objectWith<{ readonly trace: boolean; readonly inspection: boolean }>({
  trace: maybe(flag),
  inspection: maybe(flag),
});
const OPTIONS: Members<CodeSessionOptions> = {
  tenant: maybe(anyText),
  principal: maybe(principalName),
  mission: maybe(nonEmptyText),
  artifacts: maybe(artifacts),
  onEvent: maybe(aFunction),
  onApproval: maybe(fits("a function or 'wait'", (value) => value === 'wait' || typeof value === 'function')),
  signal: maybe(aSignal),
  sessionRef: maybe(
    fits(
      '1 to 128 letters, digits, dots, dashes and underscores, a letter or digit first',
      (value) => typeof value === 'string' && NAME.test(value),
    ),
  ),
};
const withoutDurable = without(
  'durable',
  'an object without durable: a session outlives its process by session.save and supervisor.restoreSession',
);
const checkedOptions = objectWith<CodeSessionOptions>(OPTIONS);
export const sessionOptions: Check = (value, place) => {
  withoutDurable(value, place);
  checkedOptions(value, place);
};
const RESTORING: Members<RestoreOptions> = { ...OPTIONS, key: maybe(sealKey) };
const checkedRestoring = objectWith<RestoreOptions>(RESTORING);
export const restoreOptions: Check = (value, place) => {
  withoutDurable(value, place);
  checkedRestoring(value, place);
};
export const sealingOptions = objectWith<SealingOptions>({ key: maybe(sealKey) });
export const savedBytes = bytes;

export const programText = fits(
  'a text of well-formed Unicode',
  (value) => typeof value === 'string' && value.isWellFormed(),
);
/** `longestMs`: `evaluation_timeout_ms` of the room. */
export function evaluateOptions(longestMs: number): Check {
  return objectWith<EvaluateOptions>({
    signal: maybe(aSignal),
    onPrint: maybe(aFunction),
    timeoutMs: maybe(count(1, longestMs)),
    valueChars: maybe(count(VALUE_CHARS.minimum, VALUE_CHARS.maximum)),
    numbers: maybe(wordOf('json', 'exact')),
  });
}
export const searchWords = fits(
  `a text of at most ${QUERY_LENGTH} characters`,
  (value) => typeof value === 'string' && value.isWellFormed() && Array.from(value).length <= QUERY_LENGTH,
);
export const searchOptions = objectWith<NonNullable<Parameters<CodeSession['search']>[1]>>({
  in: maybe(wordOf(...SEARCHED)),
  limit: maybe(count(SEARCH_LIMIT.minimum, SEARCH_LIMIT.maximum)),
});
export const describedNames = fits(
  `a list of 1 to ${DESCRIBED_NAMES} texts`,
  (value) =>
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= DESCRIBED_NAMES &&
    value.every((name) => typeof name === 'string' && name.isWellFormed()),
);
export const promptOptions = objectWith<NonNullable<Parameters<CodeSession['prompt']>[0]>>({
  maxBytes: maybe(count(PROMPT_BYTES.minimum, PROMPT_BYTES.maximum)),
});
