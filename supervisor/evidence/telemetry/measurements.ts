import type { Attributes, RunSpan } from './spans.ts';

/** The metrics of a run (evidence.md §13), as the conventions for generative AI name, count and bound them. */
export const METRICS = {
  'gen_ai.client.token.usage': { unit: '{token}', bounds: Array.from({ length: 14 }, (_, power) => 4 ** power) },
  'gen_ai.client.operation.duration': {
    unit: 's',
    bounds: Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power),
  },
} as const;

export interface Measurement {
  readonly metric: keyof typeof METRICS;
  readonly value: number;
  readonly attributes: Attributes;
}

const TOKENS = [
  ['input', 'gen_ai.usage.input_tokens'],
  ['output', 'gen_ai.usage.output_tokens'],
] as const;
const OF_ALL = ['gen_ai.operation.name', 'gen_ai.request.model'];
const OF_DURATIONS = [...OF_ALL, 'error.type'];
const MS_PER_SECOND = 1000;

/**
 * What the calls of models among the spans took: how long each that ended, and the tokens of each that reported them.
 */
export function measurementsOf(spans: readonly RunSpan[]): readonly Measurement[] {
  return spans
    .filter(
      ({ attributes }) => attributes['gen_ai.operation.name'] === 'chat' && attributes['svc.incomplete'] === undefined,
    )
    .flatMap(({ start, end, attributes }) => [
      {
        metric: 'gen_ai.client.operation.duration',
        value: Math.max(0, end - start) / MS_PER_SECOND,
        attributes: only(attributes, OF_DURATIONS),
      } as const,
      ...TOKENS.flatMap(([type, name]) => {
        const value = attributes[name];
        return typeof value === 'number'
          ? [
              {
                metric: 'gen_ai.client.token.usage',
                value,
                attributes: { ...only(attributes, OF_ALL), 'gen_ai.token.type': type },
              } as const,
            ]
          : [];
      }),
    ]);
}

function only(attributes: Attributes, names: readonly string[]): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => names.includes(name)));
}
