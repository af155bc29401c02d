/** Whether a signal was ended by its time, and not by its caller. */
export function timedOut({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
