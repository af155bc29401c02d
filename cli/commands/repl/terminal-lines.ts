import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { LineEvent, LineSource } from './lines.ts';

export interface TerminalOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** False for terminals that cannot move the cursor. */
  readonly canEdit: boolean;
  /** Names that the word before the cursor may become. */
  readonly complete: (line: string) => Promise<LineCompletion>;
  /** Lines typed before, oldest first. */
  readonly history: readonly string[];
  /** Takes the lines to remember, oldest first, when the source is closed. */
  readonly saveHistory: (lines: readonly string[]) => Promise<void>;
}

/** What may stand for the end of a line: whole words, and the part of the line that they would replace. */
export type LineCompletion = readonly [words: readonly string[], part: string];

/** Asks the terminal to mark what is pasted, and to stop that. */
const MARK_PASTES = '\u001b[?2004h';
const LEAVE_PASTES = '\u001b[?2004l';

/** Lines that the editor can recall; the file is bounded by bytes. */
const HISTORY_LINES = 10_000;

/** Kill the line to its start, as the editor's own key does. */
const CLEAR_LINE = { ctrl: true, name: 'u' } as const;

/**
 * Lines typed at a terminal. Ctrl+C gives up the form, or the evaluation that is at work; Ctrl+D on an empty line ends
 * (cli.md §11).
 */
export function terminalLines(options: TerminalOptions): LineSource {
  const { input, output, canEdit } = options;
  const editor = createInterface({
    input,
    output,
    terminal: canEdit,
    history: options.history.toReversed(),
    historySize: HISTORY_LINES,
    removeHistoryDuplicates: true,
    completer: (line: string, done: (error: null, completion: [string[], string]) => void) =>
      void completeLine(options.complete(line), done),
  });
  const waiting: LineEvent[] = [];
  let remembered: readonly string[] = options.history;
  let deliver: ((event: LineEvent) => void) | null = null;
  let interrupt: (() => void) | null = null;
  /** Ctrl+C came after a line was handed out and before its evaluation could be given up. */
  let interruptedEarly = false;

  function arrived(event: LineEvent): void {
    if (deliver === null) {
      waiting.push(event);
      return;
    }
    const give = deliver;
    deliver = null;
    give(event);
  }

  /** Lines of a paste that is not at its end, or whose last line is still to be entered: they are one text. */
  let pasted: string[] = [];
  let isPasting = false;
  if (canEdit) {
    output.write(MARK_PASTES);
    input.on('keypress', (_, key?: { readonly name?: string }) => {
      if (key?.name === 'paste-start') isPasting = true;
      if (key?.name === 'paste-end') isPasting = false;
    });
  }

  editor.on('line', (text) => {
    pasted.push(text);
    if (isPasting) return;
    arrived({ kind: 'line', text: pasted.join('\n') });
    pasted = [];
  });
  editor.on('history', (lines) => {
    remembered = lines.toReversed();
  });
  editor.on('close', () => arrived({ kind: 'end' }));
  editor.on('SIGINT', () => {
    output.write('\n');
    if (interrupt !== null) interrupt();
    else if (deliver !== null) {
      pasted = [];
      editor.write(null, CLEAR_LINE);
      arrived({ kind: 'interrupted' });
    } else interruptedEarly = true;
  });

  return {
    async next(prompt) {
      interruptedEarly = false;
      const early = waiting.shift();
      if (early !== undefined) return early;
      return new Promise<LineEvent>((resolve) => {
        deliver = resolve;
        editor.setPrompt(prompt);
        editor.prompt();
      });
    },
    onInterrupt(given) {
      interrupt = given;
      if (interruptedEarly) given();
      return () => {
        interrupt = null;
      };
    },
    async close() {
      if (canEdit) output.write(LEAVE_PASTES);
      editor.close();
      await options.saveHistory(remembered);
    },
  };
}

async function completeLine(
  asked: Promise<LineCompletion>,
  done: (error: null, completion: [string[], string]) => void,
): Promise<void> {
  const [words, part] = await asked.catch((): LineCompletion => [[], '']);
  done(null, [[...words], part]);
}
