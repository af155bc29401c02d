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

export type OpenProgressStream = () => ProgressStream;
