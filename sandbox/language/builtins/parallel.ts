import { LispError, FailSignal, ReturnSignal } from '../../runtime/errors.ts';
import { variadic, withEffect, type Row } from '../../runtime/builtins/row.ts';
import { invoke } from '../../runtime/invoke.ts';
import { toArray } from '../../runtime/sequence.ts';
import { realised } from '../../runtime/values/seq.ts';

/**
 * `pmap` and `pcalls` in the calling isolate, one branch after another: what language.md §16 asks for where no slot is
 * free. The first failing branch in input order decides.
 */
export function parallel(): readonly Row[] {
  return withEffect('state', [
    variadic('pmap', 'Applies a function to the elements of collections, in parallel branches.', 2, ([f, ...collections]) => {
      const columns = collections.map((collection) => toArray(collection));
      const shortest = Math.min(...columns.map((column) => column.length));
      const rows = Array.from({ length: shortest }, (_, row) => columns.map((column) => column[row]));
      return realised(rows.map((row, index) => branch('pmap_error', 'pmap', index, () => invoke(f, row))));
    }),
    variadic('pcalls', 'Calls functions without arguments, in parallel branches.', 0, (functions) =>
      realised(functions.map((f, index) => branch('pcalls_error', 'pcalls', index, () => invoke(f, [])))),
    ),
  ]);
}

/** Limits and authenticated failures pass unchanged; errors, `fail` and `return` become the operation's own error. */
function branch(reason: 'pmap_error' | 'pcalls_error', operation: string, index: number, body: () => unknown): unknown {
  try {
    return body();
  } catch (thrown) {
    const failed = thrown instanceof LispError || thrown instanceof FailSignal || thrown instanceof ReturnSignal;
    if (!failed) throw thrown;
    const what = thrown instanceof LispError ? (thrown.message ?? thrown.className) : 'the branch ended the evaluation';
    const cause = thrown instanceof LispError ? thrown : null;
    throw new LispError(reason, 'java.util.concurrent.ExecutionException', `${operation}: branch ${index} failed: ${what}`, null, cause);
  }
}
