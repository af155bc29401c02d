import { canonicalJson, type JsonText } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import type { CapabilityFacts } from '../../../contract/provider-protocol/capability.ts';

const TEXT = { type: 'string' };
const PAGE = { limit: { type: 'integer', minimum: 1, maximum: 100 }, cursor: { type: ['string', 'null'] } };
const RUN_FILTERS = {
  status: TEXT,
  run_id: TEXT,
  trace_id: TEXT,
  name: TEXT,
  model: TEXT,
  provider: TEXT,
  bundle: TEXT,
  tags: { type: 'object' },
  from: TEXT,
  to: TEXT,
};

/** The queries, in the order in which they are shown (evidence.md §7). */
export const QUERIES = {
  runs: {
    description:
      'Lists earlier runs, the newest first: {items next_cursor truncated omitted_count}. Filters must all hold; view is summary or full.',
    properties: { ...PAGE, view: { enum: ['summary', 'full'] }, ...RUN_FILTERS },
    required: [],
  },
  open: {
    description:
      'Gives one run with everything that its trace has, and the collections that can be read of it with their filters.',
    properties: { run_id: TEXT },
    required: ['run_id'],
  },
  read: {
    description:
      'Gives a page of one collection of a run; further options are filters of the collection, which open lists.',
    properties: { run_id: TEXT, collection: TEXT, ...PAGE },
    required: ['run_id', 'collection'],
  },
  counters: {
    description: 'Counts events, errors, evaluations, calls and tokens over all runs that pass the filters.',
    properties: { ...RUN_FILTERS, mission_name: TEXT },
    required: [],
  },
} as const;
export type Query = keyof typeof QUERIES;

const QUERY_NAMES: readonly Query[] = ['runs', 'open', 'read', 'counters'];
/** Milliseconds; a page reads at most a few megabytes of local files. */
const TIMEOUT_MS = 15_000;
/** Of a query, filters and cursor included. */
const ARGUMENT_BYTES = 65_536;

/** Names under an alias. */
export function queryNames(alias: string): readonly string[] {
  return QUERY_NAMES.map((query) => `${alias}.${query}`);
}

/** Which query a capability of this alias means; undefined for no name of it. */
export function queryOf(alias: string, name: string): Query | undefined {
  return QUERY_NAMES.find((query) => name === `${alias}.${query}`);
}

/** Options are checked by the query itself, which says `invalid_query` of one it does not know. */
export function snapshotCapabilities(alias: string, resultBytes: number): readonly CapabilityFacts<JsonText>[] {
  return QUERY_NAMES.map((query) => {
    const { description, properties, required } = QUERIES[query];
    return {
      name: `${alias}.${query}`,
      description,
      effect: 'read',
      isModelVisible: true,
      inputSchema: schemaText({ type: 'object', properties, required }),
      outputSchema: schemaText({ type: 'object' }),
      timeoutMs: TIMEOUT_MS,
      argumentBytes: ARGUMENT_BYTES,
      resultBytes,
      inspectionCapture: 'full',
    };
  });
}

function schemaText(schema: object): JsonText {
  const value = jsonFromPlain(schema);
  if (value === undefined) throw new TypeError('a schema is JSON');
  return canonicalJson(value);
}
