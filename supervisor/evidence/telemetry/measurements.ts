import type { Attributes, RunSpan } from './spans.ts';

/**
 * The metrics of a run (evidence.md §13), as the conventions for generative AI name, count and bound them; that of
 * questions to a person is ours (approvals.md §10).
 */
export const METRICS = {
  'gen_ai.client.token.usage': { unit: '{token}', bounds: Array.from({ length: 14 }, (_, power) => 4 ** power) },
  'gen_ai.client.operation.duration': {
    unit: 's',
    bounds: Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power),
  },
  // From a second to a week.
  'svc.approval.wait': { unit: 's', bounds: [1, 3, 10, 30, 60, 300, 600, 1800, 3600, 14_400, 86_400, 604_800] },
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
const OF_QUESTIONS = ['svc.approval.tool', 'svc.approval.decision', 'svc.approval.by'];
const MS_PER_SECOND = 1000;

/**
 * What the calls of models among the spans took: how long each that ended, and the tokens of each that reported them;
 * and how long each question waited that was answered or expired.
 */
export function measurementsOf(spans: readonly RunSpan[]): readonly Measurement[] {
  return [...ofModels(spans), ...ofQuestions(spans)];
}

function ofQuestions(spans: readonly RunSpan[]): readonly Measurement[] {
  return spans
    .filter(({ attributes }) => attributes['svc.approval.decision'] !== undefined)
    .map(({ start, end, attributes }) => ({
      metric: 'svc.approval.wait',
      value: Math.max(0, end - start) / MS_PER_SECOND,
      attributes: only(attributes, OF_QUESTIONS),
    }));
}

function ofModels(spans: readonly RunSpan[]): readonly Measurement[] {
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
