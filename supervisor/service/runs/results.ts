import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { EventData } from '../../evidence/run-events/run-events.ts';
import type { RefusalCode, RunFinished, RunHandle, RunRefused, RunResult } from '../embedding/types.ts';

/** What the last event of a run says of its end. */
export function lastWords(end: RunResult): EventData {
  if (end.kind === 'refused') return { status: 'refused', code: end.code };
  const { envelope, effects, retry, cancelled } = end;
  return {
    status: envelope.status,
    code: envelope.status === 'error' ? envelope.error.code : null,
    effects,
    retry,
    cancelled,
  };
}

/** Nothing ran. */
export function refuseRun(
  { runRef }: { readonly runRef: string },
  code: RefusalCode,
  {
    retryAfterMs = null,
    diagnostic = null,
  }: { readonly retryAfterMs?: number | null; readonly diagnostic?: Diagnostic | null } = {},
): RunRefused {
  return { kind: 'refused', runRef, code, retryAfterMs, diagnostic };
}

/** The same run with a typed value. */
export function typedRun<T>(handle: RunHandle, codec: (value: unknown) => T): RunHandle<T> {
  const result = handle.result.then((end): RunResult<T> => {
    if (end.kind === 'refused') return end;
    const { value, ...rest } = end;
    return 'value' in end ? ({ ...rest, value: codec(value) } satisfies RunFinished<T>) : rest;
  });
  // Anyone who only cancels, or follows events, has no use for what a codec throws.
  result.catch(() => undefined);
  return { ...handle, result };
}
