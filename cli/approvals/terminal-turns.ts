import { openSharedTerminal } from './shared-terminal.ts';
import type { Terminal } from './terminal-asker.ts';

/** The terminal at which lines are typed, for others that ask there. */
export interface TypedAt {
  /** Whether it gives keys in place of lines, and Ctrl+C as one of them. */
  readonly canEdit: boolean;
  /** As Ctrl+C. */
  readonly interrupt: () => void;
  /** Leaves it to another reader, and drops what was typed ahead, until what it returns is called. */
  readonly yield: () => () => void;
}

/** Before the first line, and where none is typed, Ctrl+C stops the command. */
const BEFORE_LINES = { canEdit: false, interrupt: () => void process.kill(process.pid, 'SIGINT') } as const;

/** Who reads the terminal of a conversation: the source of its lines, or the person's answer to a question. */
export class TerminalTurns {
  #typed: TypedAt | undefined = undefined;

  /** From now on lines come from this source; what it returns ends that. */
  begin(terminal: TypedAt | undefined): () => void {
    this.#typed = terminal;
    return () => {
      this.#typed = undefined;
    };
  }

  open(): Terminal | null {
    // Ctrl+C at a question is one in the conversation, once there is one.
    return openSharedTerminal(() => this.#typed ?? BEFORE_LINES);
  }

  /** A question has the terminal until what this returns is called. */
  hold(): () => void {
    return this.#typed?.yield() ?? ((): void => undefined);
  }
}
