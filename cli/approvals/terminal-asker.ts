import type { ApprovalDecision, ApprovalRequest, ApprovalUnavailable } from '../../contract/approval.ts';
import { ANSWERS_TEXT, KEYS_LINE, allArguments, programText, questionText } from './question-text.ts';

/** The controlling terminal, as a person is asked on it. */
export interface Terminal {
  write(text: string): void;
  columns(): number;
  /** Throws away what was typed so far, finished lines or not. */
  discardTyped(): Promise<void>;
  /** The next line without its end; null: the terminal is gone, or `signal` was aborted. */
  readLine(signal: AbortSignal): Promise<string | null>;
  close(): void;
}

export interface TerminalAskerOptions {
  /** Opened at the first question; null: there is none. */
  readonly open: () => Terminal | null;
  /** What else is written there stands still until what this returns is called. */
  readonly hold: () => () => void;
  readonly now: () => number;
  /** Called for each question that nobody can be asked. */
  readonly refused: (request: ApprovalRequest) => void;
}

type Answer = ApprovalDecision | { readonly unavailable: ApprovalUnavailable };

interface Waiting {
  readonly request: ApprovalRequest;
  readonly signal: AbortSignal;
  readonly settle: (answer: Answer) => void;
}

/** Questions that come within this time are counted together: `1 of 3`. */
const WINDOW_MS = 50;

/**
 * Asks on the terminal, one question after the other (approvals.md §5). Call `close` after the last question.
 */
export class TerminalAsker {
  readonly #options: TerminalAskerOptions;
  readonly #waiting: Waiting[] = [];
  #terminal: Terminal | null = null;
  #isAsking = false;

  constructor(options: TerminalAskerOptions) {
    this.#options = options;
  }

  ask(request: ApprovalRequest, signal: AbortSignal): Promise<Answer> {
    this.#terminal ??= this.#options.open();
    if (this.#terminal === null) {
      this.#options.refused(request);
      return Promise.resolve({ unavailable: 'unattended' });
    }
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.push({ request, signal, settle: resolve });
    if (!this.#isAsking) {
      this.#isAsking = true;
      setTimeout(() => void this.#askAll(), WINDOW_MS);
    }
    return promise;
  }

  close(): void {
    this.#terminal?.close();
    this.#terminal = null;
  }

  async #askAll(): Promise<void> {
    const release = this.#options.hold();
    let index = 0;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        if (next.signal.aborted) continue;
        index += 1;
        next.settle(await this.#askOne(next, index));
      }
    } finally {
      this.#isAsking = false;
      release();
    }
  }

  async #askOne({ request, signal }: Waiting, index: number): Promise<Answer> {
    const terminal = this.#terminal;
    if (terminal === null) return { unavailable: 'unattended' };
    await terminal.discardTyped();
    const show = (): void => {
      const of = index + this.#waiting.length;
      const leftMs = Date.parse(request.expiresAt) - this.#options.now();
      terminal.write(`\n${questionText(request, { index, of, leftMs, columns: terminal.columns() })}`);
    };
    show();
    for (;;) {
      terminal.write(`${KEYS_LINE} `);
      const line = await terminal.readLine(signal);
      if (line === null) {
        terminal.write('\n');
        return { unavailable: 'unattended' };
      }
      const typed = line.trim();
      const [key = '', ...rest] = typed;
      switch (typed.length === 1 || key === 'r' ? key : wordKey(typed)) {
        case 'y':
          return { decision: 'allow', scope: 'once', by: 'terminal' };
        case 'n':
          return { decision: 'deny', scope: 'once', by: 'terminal' };
        case 'a':
          return { decision: 'allow', scope: 'tool', by: 'terminal' };
        case 'r': {
          const reason = await this.#reason(terminal, rest.join('').trim(), signal);
          if (reason === null) return { unavailable: 'unattended' };
          return { decision: 'deny', scope: 'once', by: 'terminal', ...(reason === '' ? {} : { reason }) };
        }
        case 'p':
          terminal.write(programText(request));
          break;
        case 's':
          terminal.write(allArguments(request));
          break;
        case '?':
          terminal.write(ANSWERS_TEXT);
          break;
        default:
          // An empty line decides nothing, and neither does a word that is none of these.
          show();
      }
    }
  }

  async #reason(terminal: Terminal, typed: string, signal: AbortSignal): Promise<string | null> {
    if (typed !== '' && typed !== 'eason') return typed;
    terminal.write('reason: ');
    const line = await terminal.readLine(signal);
    return line === null ? null : line.trim();
  }
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['yes', 'y'],
  ['no', 'n'],
  ['always', 'a'],
  ['program', 'p'],
  ['show all', 's'],
  ['show', 's'],
]);

/** The key that a whole word means; empty for any other text. */
function wordKey(typed: string): string {
  return WORDS.get(typed.toLowerCase()) ?? '';
}
