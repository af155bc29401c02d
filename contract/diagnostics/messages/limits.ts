import { LIMITS, type LimitName, type LimitRow } from '../../limits/catalogue.ts';
import type { DecidedLimits, LimitOrigin } from '../../limits/effective.ts';

/** Which limit it was, its value, who set it and what can be changed: the words of every failure by a limit. */

const ORIGINS: Readonly<Record<LimitOrigin, string>> = {
  manifest: 'set by the manifest',
  host: 'set by the host document',
  default: 'the default',
};

const ROWS: readonly LimitRow<LimitName>[] = LIMITS;

/** Whether this is the name of a limit of documents.md §5. */
export function isLimitName(name: unknown): name is LimitName {
  return ROWS.some((row) => row.name === name);
}

/** `workflow_timeout_ms is 30000 ms, the default`. */
export function limitText(name: LimitName, { values, origins }: DecidedLimits): string {
  const value = values[name];
  const unit = ROWS.find((row) => row.name === name)?.unit;
  const amount = value === null ? 'off' : `${String(value)}${unit === undefined || unit === 'count' ? '' : ` ${unit}`}`;
  return `${name} is ${amount}, ${ORIGINS[origins[name]]}`;
}

/** What can be done other than to raise a limit. */
const INSTEAD: Readonly<Partial<Record<LimitName, string>>> = {
  parallel_timeout_ms: 'give pmap or pcalls fewer or shorter branches',
  workflow_heap_words: 'keep less in memory at once',
  workflow_loop_iterations: 'let the loop end sooner',
  workflow_capability_calls: 'make fewer calls',
  workflow_capability_calls_per_name: 'make fewer calls of it',
  mission_capability_calls: 'make fewer calls',
  mission_capability_calls_per_name: 'make fewer calls of it',
  capability_argument_bytes: 'send less in one call, as an agent does with compact_at_tokens',
  subordinate_evaluations: 'ask for fewer evaluations or agent turns',
  protocol_errors: 'correct the calls that do not have the required form',
  terminal_result_bytes: 'return less',
  llm_request_timeout_ms: 'ask for a shorter answer',
  llm_total_tokens: 'send less to models',
  llm_cost_microusd: 'send less to models, or to cheaper ones',
};

/**
 * What to write where, for more of these limits, all of which are in the way; `instead` is what else may be done, in
 * words that precede "or", when the first of them does not say it.
 */
export function limitRemedy(
  names: readonly [LimitName, ...LimitName[]],
  decided: DecidedLimits,
  instead = INSTEAD[names[0]] ?? 'do less',
): string {
  const askable = names.filter((name) => canAsk(name, decided));
  const ways = [
    ...(askable.length === 0
      ? []
      : [
          `raise ${askable.map((name) => `limits.${name} (at most ${String(decided.ceilings[name])})`).join(' and ')} in the manifest`,
        ]),
    ...names
      .filter((name) => !askable.includes(name))
      .map(
        (name) => `raise limits.${name} in the host document${isHosts(name, decided) ? '' : ', then in the manifest'}`,
      ),
  ];
  return `${instead}, or ${ways.join('; ')}`;
}

/** Whether the manifest alone can have more of it. */
function canAsk(name: LimitName, { values, ceilings }: DecidedLimits): boolean {
  const [value, ceiling] = [values[name], ceilings[name]];
  return !isInstalled(name) && value !== null && ceiling !== null && value < ceiling;
}

/** Whether the value follows what the host writes. */
function isHosts(name: LimitName, { origins }: DecidedLimits): boolean {
  return isInstalled(name) || origins[name] === 'host';
}

function isInstalled(name: LimitName): boolean {
  return ROWS.find((row) => row.name === name)?.scope === 'installed';
}
