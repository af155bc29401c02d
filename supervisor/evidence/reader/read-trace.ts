import { readLine, type TraceFault, type TraceRecord } from './line.ts';
import { traceOrder } from './order.ts';

export type { TraceFault, TraceRecord } from './line.ts';

export type TraceResult =
  | { readonly ok: true; readonly records: readonly TraceRecord[] }
  /** `line` counts from 1. */
  | { readonly ok: false; readonly fault: TraceFault; readonly line: number };

const LINE_FEED = 0x0a;

/**
 * Reads a whole trace file strictly; the first fault ends it. A run that never stopped is valid (evidence.md §5). In
 * steps of one line: it yields each record that is in order, so that a long file need not be read in one go.
 */
export function* traceSteps(bytes: Uint8Array): Generator<TraceRecord, TraceResult, void> {
  const order = traceOrder();
  const records: TraceRecord[] = [];
  let start = 0;
  while (start < bytes.length) {
    const line = records.length + 1;
    const end = bytes.indexOf(LINE_FEED, start);
    if (end === -1) return { ok: false, fault: { reason: 'malformed_source', rule: 'last line is ended' }, line };
    const read = readLine(bytes.subarray(start, end));
    if (!read.ok) return { ok: false, fault: read.fault, line };
    const fault = order.accept(read.record);
    if (fault !== null) return { ok: false, fault, line };
    records.push(read.record);
    yield read.record;
    start = end + 1;
  }
  return records.length === 0
    ? { ok: false, fault: { reason: 'malformed_source', rule: 'not empty' }, line: 1 }
    : { ok: true, records };
}
