import type { JsonValue } from '../../../contract/json/value.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { cut } from '../index/signature.ts';
import { SEARCHED } from '../index/room-index.ts';

/** Bounds of the arguments of `run`, beside those of the room. */
export const VALUE_CHARS = { minimum: 256, maximum: 65_536 } as const;
export const VALUE_CHARS_DEFAULT = 8192;
export const SEARCH_LIMIT = { minimum: 1, maximum: 50, default: 10 } as const;
export const DESCRIBED_NAMES = 20;
export const QUERY_LENGTH = 400;

/** Bytes of `instructions`. */
const INSTRUCTIONS_BYTES = 2048;

const PRIMER = `One sandbox over many tools. Search first, then write one program that does the whole task.
Programs are Clojure without Java, I/O, macros of your own, or atoms that outlive a program:
let, fn, loop, for, ->, ->>, map, filter, reduce, group-by, sort-by, update-in, str, re-find.
Call a tool: (tool/SERVER.NAME {:key value}). It answers {:status :ok :value …} or {:status :error :reason …}: look at
:status, or write tool!/SERVER.NAME, which gives the same and raises a failure. Keys of answers are strings:
(get-in x [:value "id"]).
Many calls at once: (pmap #(tool/SERVER.NAME {:id %}) ids). Filter and join in the program; end it with what you need.
Definitions and *1 *2 *3 stay for the next run. A call that needs a person's yes waits for it.`;

/** Over HTTP a connection is one request. */
const NAMED = '\nEach run answers with a session: give it to the next run to find the definitions of this one.';

export function instructionsFor(servers: readonly string[], hasNamedSessions = false): string {
  const names = servers.length === 0 ? '' : `\nServers: ${servers.join(', ')}`;
  const whole = `${PRIMER}${hasNamedSessions ? NAMED : ''}${names}`;
  return Buffer.byteLength(whole) <= INSTRUCTIONS_BYTES ? whole : cut(whole, INSTRUCTIONS_BYTES / 4);
}

const ANY_OBJECT = { type: 'object' } as const;

/** The three tools (code-mode.md §4), as the list has them. */
export function toolDefinitions(readsOnly: boolean, hasNamedSessions = false): readonly JsonValue[] {
  const session = hasNamedSessions ? { session: { type: 'string' } } : {};
  return [
    {
      name: 'search',
      description: 'Finds tools and functions by words; without words, what servers there are. Search first.',
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', maxLength: QUERY_LENGTH },
          in: { enum: SEARCHED },
          limit: { type: 'integer', minimum: SEARCH_LIMIT.minimum, maximum: SEARCH_LIMIT.maximum },
        },
        required: ['query'],
      },
      outputSchema: ANY_OBJECT,
      annotations: { readOnlyHint: true },
    },
    {
      name: 'describe',
      description: 'Arguments, result, documentation and an example of tools and functions by name.',
      inputSchema: {
        type: 'object',
        properties: { names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: DESCRIBED_NAMES } },
        required: ['names'],
      },
      outputSchema: ANY_OBJECT,
      annotations: { readOnlyHint: true },
    },
    {
      name: 'run',
      description:
        'Runs a program over the tools that search finds, and gives its last value. Give program, or continue with the ID of a run that goes on; reset forgets definitions.',
      inputSchema: {
        type: 'object',
        properties: {
          program: { type: 'string' },
          continue: { type: 'string' },
          reset: { type: 'boolean' },
          timeout_ms: { type: 'integer', minimum: 1 },
          value_chars: { type: 'integer', ...VALUE_CHARS },
          ...session,
        },
      },
      outputSchema: {
        type: 'object',
        properties: {
          status: { enum: ['ok', 'running', 'waiting'] },
          value: {},
          text: { type: 'string' },
          continue: { type: 'string' },
          run_ref: { type: 'string' },
          ...session,
        },
        required: ['status'],
      },
      annotations: { readOnlyHint: readsOnly },
    },
  ].map((definition) => jsonFromPlain(definition) ?? null);
}

/** Canonical JSON of the list. */
export function toolList(readsOnly: boolean): string {
  return canonicalJson(toolDefinitions(readsOnly));
}
