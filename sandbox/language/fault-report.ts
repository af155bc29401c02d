import { OWN_TEXT_LENGTH_MAX } from '../../contract/diagnostics/explanation.ts';
import type { FaultFrame, FaultReport } from '../../contract/sandbox-protocol.ts';
import { LispError } from '../runtime/errors.ts';
import { boundedPreview } from '../runtime/preview.ts';
import { LispMap } from '../runtime/values/map.ts';

/** Exceptions that are caused by others are followed this far. */
const CAUSES = 16;

/** What the author of a program is shown of an error; null is a limit. */
export function faultReport(message: string, trail: readonly FaultFrame[], error: LispError | null): FaultReport {
  return {
    message,
    trail,
    data: error === null ? null : dataOf(error),
    cause: error === null ? null : firstCause(error),
  };
}

/** None of it is computed to be shown: that could fail, or never end. */
const BOUNDS = { items: 16, depth: 4, nodes: 256, string: 256, realises: false } as const;

function dataOf({ data }: LispError): string | null {
  if (!(data instanceof LispMap) || data.count === 0) return null;
  const { text } = boundedPreview(data, OWN_TEXT_LENGTH_MAX, BOUNDS);
  const notice = text.lastIndexOf('\n;; truncated');
  return notice < 0 ? text : text.slice(0, notice);
}

function firstCause(error: LispError): string | null {
  let { cause } = error;
  for (let depth = 0; depth < CAUSES && cause instanceof LispError && cause.cause instanceof LispError; depth += 1)
    cause = cause.cause;
  if (!(cause instanceof LispError)) return null;
  const message = cause.message ?? cause.className;
  return message === error.message ? null : message.slice(0, OWN_TEXT_LENGTH_MAX).toWellFormed();
}
