import type { TokenUsage } from '../../contract/envelope/usage.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';

/** Counts and cost, in the form in which programs see them. */
export function tokensOf({ total_cost: cost, ...counts }: TokenUsage): JsonObject {
  const known = Object.entries(counts).flatMap(([name, count]) =>
    count === undefined ? [] : [[name, count] as const],
  );
  return new Map<string, JsonValue>([
    ...known,
    ...(cost === undefined
      ? []
      : [
          [
            'total_cost',
            new Map<string, JsonValue>([
              ['currency', cost.currency],
              ['microunits', cost.microunits],
            ]),
          ] as const,
        ]),
  ]);
}
