import type { JsonObject, JsonValue } from '../../../../contract/json/value.ts';
import type { IsolatedComponent } from '../capture/isolation.ts';
import { members } from '../members.ts';

const EXAMPLES = 16;
const EXAMPLE_RUNS = 4;

/** What was set aside, for a page; undefined where nothing was. `reasons` counts components by reason. */
export function isolationFacts(isolated: readonly IsolatedComponent[]): JsonObject | undefined {
  if (isolated.length === 0) return undefined;
  const reasons = new Map<string, number>();
  for (const component of isolated)
    for (const reason of component.reasons) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const examples: readonly JsonValue[] = isolated
    .slice(0, EXAMPLES)
    .map(({ sources, runIds, reasons: own }) =>
      members({ source_count: sources, run_ids: runIds.slice(0, EXAMPLE_RUNS), reasons: own }),
    );
  return members({
    component_count: isolated.length,
    source_count: isolated.reduce((all, { sources }) => all + sources, 0),
    known_run_count: new Set(isolated.flatMap(({ runIds }) => runIds)).size,
    reasons,
    examples,
    examples_omitted_count: Math.max(0, isolated.length - EXAMPLES),
  });
}
