const TEXT = { type: 'string' };

/** The one query of `private-run-catalog-v1` (evidence.md §8). */
export const CATALOGUE_QUERY = {
  description:
    'Lists runs by what the heads and tails of their files say; nothing of any payload. Filters must all hold.',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    cursor: { type: ['string', 'null'] },
    run_id: TEXT,
    trace_id: TEXT,
    status: TEXT,
    name: TEXT,
    model: TEXT,
    provider: TEXT,
    correlation: TEXT,
    state: TEXT,
    tags: { type: 'object' },
    from: TEXT,
    to: TEXT,
  },
  required: [],
} as const;
