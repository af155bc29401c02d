import {
  integerOf,
  isJsonFloat,
  isJsonInteger,
  isJsonObject,
  JsonFloat,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { missesOfSchema } from '../../documents/cases/expected-schema.ts';
import type { TestCase } from '../../documents/cases/load.ts';
import type { TrialAttempt } from './attempt.ts';
import { findDifferences, type Comparison } from './differences.ts';

/** Which expectation was missed; `run`: that it succeeds at all. */
export type ExpectationName = keyof TestCase['expect'] | 'run';

/** One way in which a run is not what its case expects. Texts are JSON; null: there is nothing to show. */
export interface Miss {
  readonly expectation: ExpectationName;
  /** In the value of the run. */
  readonly path: readonly string[];
  readonly problem: string;
  readonly expected: string | null;
  readonly actual: string | null;
}

/** What `expect.program` came to: its value, or why it has none. */
export type ProgramVerdict =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: string };

export type EvaluateProgram = (program: string, input: JsonObject) => Promise<ProgramVerdict>;

/** Scores from 0 to 1, by name; null where no program gave any. */
export type Scores = ReadonlyMap<string, number> | null;

/** Holds a run against its case (first-day.md §2): every member of `expect` holds where there is no miss. */
export async function judgeAttempt(
  attempt: TrialAttempt,
  { expect, schema }: Pick<TestCase, 'expect' | 'schema'>,
  evaluate: EvaluateProgram,
): Promise<{ readonly misses: readonly Miss[]; readonly scores: Scores }> {
  const misses: Miss[] = [...errorMisses(attempt, expect.error)];
  const hasValue = attempt.status === 'ok';
  if (hasValue && expect.value !== undefined) misses.push(...valueMisses('value', expect.value, attempt, 'whole'));
  if (hasValue && expect.matches !== undefined)
    misses.push(...valueMisses('matches', expect.matches, attempt, 'partial'));
  if (hasValue && schema !== null)
    misses.push(
      ...missesOfSchema(schema, attempt.value).map(({ path, problem }) => ({ ...miss('schema', problem), path })),
    );
  misses.push(...boundMisses(attempt, expect));
  const judged = await judgeByProgram(attempt, expect, evaluate);
  misses.push(...judged.misses);
  return { misses: attempt.isPrivate ? misses.map(withoutValues) : misses, scores: judged.scores };
}

function miss(expectation: ExpectationName, problem: string, expected?: string, actual?: string): Miss {
  return { expectation, path: [], problem, expected: expected ?? null, actual: actual ?? null };
}

/** Of a private run a report says where it differs, and not in what. */
function withoutValues({ expectation, path, problem }: Miss): Miss {
  return { ...miss(expectation, expectation === 'program' ? 'the program did not give true' : problem), path };
}

function errorMisses({ code, message, explained }: TrialAttempt, expected: string | undefined): readonly Miss[] {
  const words = [message ?? '', ...(explained === null ? [] : [explained])].join('; ');
  if (expected !== undefined && code === null)
    return [miss('error', 'the run succeeded', JSON.stringify(expected), undefined)];
  if (expected !== undefined && code !== expected)
    return [miss('error', `the run ended with another error: ${words}`, expected, code ?? undefined)];
  if (expected === undefined && code !== null) return [miss('run', `the run failed: ${code}: ${words}`)];
  return [];
}

function valueMisses(
  expectation: 'value' | 'matches',
  expected: JsonValue,
  { value }: TrialAttempt,
  comparison: Comparison,
): readonly Miss[] {
  return findDifferences(expected, value, comparison).map((difference) => ({
    expectation,
    problem: difference.actual === null ? 'is missing' : difference.expected === null ? 'is not expected' : 'differs',
    ...difference,
  }));
}

const MICRO = 1_000_000;

function boundMisses({ figures }: TrialAttempt, { max_cost_usd, max_turns }: TestCase['expect']): readonly Miss[] {
  const misses: Miss[] = [];
  if (max_cost_usd !== undefined) {
    const { costMicrousd: cost } = figures;
    if (cost === null) misses.push(miss('max_cost_usd', 'nobody knows what the run cost: a call had no price'));
    else if (cost > max_cost_usd * MICRO)
      misses.push(miss('max_cost_usd', 'the run cost more', String(max_cost_usd), String(cost / MICRO)));
  }
  if (max_turns !== undefined && figures.turns > max_turns)
    misses.push(miss('max_turns', 'the run took more turns', String(max_turns), String(figures.turns)));
  return misses;
}

async function judgeByProgram(
  attempt: TrialAttempt,
  { program, error }: TestCase['expect'],
  evaluate: EvaluateProgram,
): Promise<{ readonly misses: readonly Miss[]; readonly scores: Scores }> {
  // Of a run that failed against expectation there is nothing to judge.
  if (program === undefined || (attempt.status === 'error' && error === undefined)) return { misses: [], scores: null };
  const verdict = await evaluate(
    program,
    new Map<string, JsonValue>([
      ['result', attempt.value],
      ['run', runFacts(attempt)],
    ]),
  );
  if (!verdict.ok) return { misses: [miss('program', verdict.problem)], scores: null };
  const { value } = verdict;
  if (value === true) return { misses: [], scores: null };
  const scores = scoresOf(value);
  if (scores !== null) return { misses: [], scores };
  const problem = isJsonObject(value)
    ? 'a score is no number from 0 to 1'
    : 'the program gave neither true nor a map of scores';
  return { misses: [miss('program', problem, 'true', canonicalJson(value))], scores: null };
}

/** What a program is given of the run, by string keys. */
function runFacts({ status, code, message, figures }: TrialAttempt): JsonObject {
  const { costMicrousd, tokens, turns, modelCalls, durationMs } = figures;
  return new Map<string, JsonValue>([
    ['status', status],
    ['error', code],
    ['message', message],
    ['cost_usd', costMicrousd === null ? null : new JsonFloat(costMicrousd / MICRO)],
    ['tokens', tokens],
    ['turns', turns],
    ['model_calls', modelCalls],
    ['duration_ms', Math.round(durationMs)],
  ]);
}

/** Null where the value is no map of scores; an empty one is none. */
function scoresOf(value: JsonValue): Scores {
  if (!isJsonObject(value) || value.size === 0) return null;
  const scores = new Map<string, number>();
  for (const [name, score] of value) {
    const number = isJsonFloat(score) ? score.value : isJsonInteger(score) ? Number(integerOf(score)) : Number.NaN;
    if (!(number >= 0 && number <= 1)) return null;
    scores.set(name, number);
  }
  return scores;
}
