import type { InterruptedRun } from '../../supervisor/api/run.ts';

const PLACES: Readonly<Record<InterruptedRun['value'], string>> = {
  published: 'its value is whole in results',
  recovery: 'its value waits in results under its recovery name; move it by hand',
  unknown: 'its value, if it was kept, stands under its recovery name beside its destination',
};

/** The line that reports on an earlier run that died with a sealed value (runtime.md §15.1); names no path. */
export function interruptedLine({ runRef, resultHash, value }: InterruptedRun): string {
  return `note: run ${runRef} was interrupted; ${PLACES[value]} (result_hash: ${resultHash})`;
}
