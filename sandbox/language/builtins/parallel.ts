import { asBranch } from '../../runtime/branch.ts';
import { variadic, withEffect, type Row } from '../../runtime/builtins/row.ts';
import type { BranchCall, BranchOutcome, Effects } from '../../runtime/effects.ts';
import { FailSignal, LispError, ReturnSignal } from '../../runtime/errors.ts';
import { invoke } from '../../runtime/invoke.ts';
import { toArray } from '../../runtime/sequence.ts';
import { realised } from '../../runtime/values/seq.ts';
import { storedFailure } from '../branch-failure.ts';

interface Operation {
  readonly name: 'pmap' | 'pcalls';
  readonly reason: 'pmap_error' | 'pcalls_error';
}

const PMAP: Operation = { name: 'pmap', reason: 'pmap_error' };
const PCALLS: Operation = { name: 'pcalls', reason: 'pcalls_error' };

/**
 * `pmap` and `pcalls` (language.md §16): branches in isolates of their own, or where there are none one after the other
 * in the calling isolate, by the same rules. The first failing branch in input order decides.
 */
export function parallel(effects: Effects): readonly Row[] {
  return withEffect('state', [
    variadic(
      'pmap',
      'f coll|f coll & colls',
      'Applies a function to the elements of collections, in parallel branches.',
      2,
      ([f, ...collections]) => {
        const columns = collections.map((collection) => toArray(collection));
        const shortest = Math.min(...columns.map((column) => column.length));
        const calls = Array.from({ length: shortest }, (_, row) => ({ f, args: columns.map((column) => column[row]) }));
        return results(effects, PMAP, f, calls);
      },
    ),
    variadic('pcalls', '& fns', 'Calls functions without arguments, in parallel branches.', 0, (functions) =>
      results(
        effects,
        PCALLS,
        null,
        functions.map((f) => ({ f, args: [] })),
      ),
    ),
  ]);
}

function results(effects: Effects, operation: Operation, shared: unknown, calls: readonly BranchCall[]): unknown {
  const outcomes = effects.branches(shared, calls) ?? inTurn(calls);
  return realised(
    outcomes.map((outcome, index) => ('value' in outcome ? outcome.value : raise(operation, index, outcome.thrown))),
  );
}

/** Runs branches here, up to the first that fails. */
function inTurn(calls: readonly BranchCall[]): readonly BranchOutcome[] {
  const outcomes: BranchOutcome[] = [];
  for (const { f, args } of calls) {
    try {
      outcomes.push({ value: asBranch(() => invoke(f, args)) });
    } catch (thrown) {
      return [...outcomes, { thrown }];
    }
  }
  return outcomes;
}

/** Limits and authenticated failures pass unchanged; errors, `fail` and `return` become the operation's own error. */
function raise({ name, reason }: Operation, index: number, thrown: unknown): never {
  const failed = thrown instanceof LispError || thrown instanceof FailSignal || thrown instanceof ReturnSignal;
  if (!failed) throw thrown;
  const what = thrown instanceof LispError ? (thrown.message ?? thrown.className) : 'the branch ended the evaluation';
  const cause = thrown instanceof LispError ? thrown : failureCause(thrown);
  throw new LispError(
    reason,
    'java.util.concurrent.ExecutionException',
    `${name}: branch ${index} failed: ${what}`,
    null,
    cause,
  );
}

/** The failure that ended a branch, as an exception whose data says what the run may need of it. */
function failureCause(thrown: unknown): LispError | null {
  const stored = thrown instanceof FailSignal ? storedFailure(thrown.payload) : null;
  return stored === null
    ? null
    : new LispError('uncaught_exception', 'clojure.lang.ExceptionInfo', 'the branch failed', stored);
}
