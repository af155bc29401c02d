import { traceSteps, type TraceResult } from '../read-trace.ts';

/** Reads a whole trace in one go, as tests may. */
export function readTrace(bytes: Uint8Array): TraceResult {
  const steps = traceSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
