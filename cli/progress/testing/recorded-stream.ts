import type { ProgressStream } from '../stream.ts';

/** A stream that keeps what is written to it. */
export interface RecordedStream extends ProgressStream {
  text(): string;
}

export function recordedStream({
  isTerminal = false,
  columns = 80,
}: { readonly isTerminal?: boolean; readonly columns?: number } = {}): RecordedStream {
  let text = '';
  return {
    isTerminal,
    columns: () => columns,
    write: (more) => {
      text += more;
    },
    settle: async () => undefined,
    text: () => text,
  };
}
