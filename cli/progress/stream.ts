/** stderr, as progress uses it: what it does not take at once is lost. */
export interface ProgressStream {
  readonly isTerminal: boolean;
  /** Width of the terminal now. */
  columns(): number;
  /** Never waits and never throws. */
  write(text: string): void;
  /** Resolves when what was written is out, or after a moment. */
  settle(): Promise<void>;
}

/** A line of its own where another that is rewritten may be. */
export function writeOver(stream: ProgressStream, line: string): void {
  stream.write(stream.isTerminal ? `\r${' '.repeat(Math.max(0, stream.columns() - 1))}\r${line}` : line);
}

export type OpenProgressStream = () => ProgressStream;
