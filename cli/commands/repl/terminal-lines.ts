import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { formHistory } from './form-history.ts';
import { historySearch } from './history-search.ts';
import type { LineEvent, LineSource } from './lines.ts';
import { typedKeys, type TypedKeys } from './typed-keys.ts';

export interface TerminalOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** False for terminals that cannot move the cursor. */
  readonly canEdit: boolean;
  /** Names that the word before the cursor may become. */
  readonly complete: (line: string) => Promise<LineCompletion>;
  /** Forms typed before, oldest first. */
  readonly history: readonly string[];
  /** Takes the forms to remember, oldest first, when the source is closed. */
  readonly saveHistory: (forms: readonly string[]) => Promise<void>;
}

/** What may be the end of a line: whole words, and the part of the line that they would replace. */
export type LineCompletion = readonly [words: readonly string[], part: string];

/** Asks the terminal to mark what is pasted, and to stop that. */
const MARK_PASTES = '\u001b[?2004h';
const LEAVE_PASTES = '\u001b[?2004l';

/** More than are remembered, so that the editor drops none. */
const EDITOR_ENTRIES = 20_000;

/**
 * Lines typed at a terminal. Ctrl+C gives up the form, or the evaluation that is at work; Ctrl+D on an empty line ends
 * (cli.md §11).
 */
export function terminalLines(options: TerminalOptions): LineSource {
  const { output, canEdit } = options;
  const history = formHistory(options.history);
  const keys: TypedKeys | null = canEdit
    ? typedKeys({
        input: options.input,
        interrupt: () => interruptForm(),
        edited: () => editor,
        search: historySearch({
          write: (text) => void output.write(text),
          forms: history.forms,
          edited: () => editor.line,
          edit: history.edit,
          redraw: () => editor.prompt(true),
        }),
      })
    : null;
  const input = keys?.editorInput ?? options.input;
  const editor: Interface = createInterface({
    input,
    output,
    terminal: canEdit,
    history: history.editorEntries,
    historySize: EDITOR_ENTRIES,
    completer: (line: string, done: (error: null, completion: [string[], string]) => void) =>
      void completeLine(options.complete(line), done),
  });
  history.attach(editor);
  const events = new AwaitedEvents();
  const pasted = new PastedLines();
  const evaluation = new Evaluation();

  if (canEdit) {
    output.write(MARK_PASTES);
    input.on('keypress', (_, key?: { readonly name?: string }) => {
      if (key?.name === 'paste-start') pasted.isPasting = true;
      if (key?.name === 'paste-end') pasted.isPasting = false;
    });
  }
  editor.on('line', (line) => {
    const text = pasted.add(line);
    if (text !== null) events.give({ kind: 'line', text });
  });
  editor.on('close', () => events.give({ kind: 'end' }));
  editor.on('SIGINT', interruptForm);
  function interruptForm(): void {
    output.write('\n');
    if (evaluation.interrupt()) return;
    if (events.isAwaited) {
      pasted.clear();
      if (canEdit) history.edit('');
      events.give({ kind: 'interrupted' });
    } else evaluation.interruptNext();
  }

  return {
    async next(prompt) {
      evaluation.clearInterrupt();
      const early = events.take();
      if (early !== undefined) return early;
      const event = events.next();
      editor.setPrompt(prompt);
      editor.prompt();
      keys?.release();
      return event;
    },
    onInterrupt: (interrupt) => evaluation.begin(interrupt),
    remember: history.remember,
    terminal: {
      canEdit,
      interrupt: interruptForm,
      yield: () => {
        keys?.drop();
        setEditing(options.input, canEdit, false);
        return () => setEditing(options.input, canEdit, true);
      },
    },
    async close() {
      if (canEdit) output.write(LEAVE_PASTES);
      editor.close();
      keys?.close();
      await options.saveHistory(history.forms().toReversed());
    },
  };
}

/** What was typed, in order, until someone asks for it. */
class AwaitedEvents {
  readonly #early: LineEvent[] = [];
  #deliver: ((event: LineEvent) => void) | null = null;

  get isAwaited(): boolean {
    return this.#deliver !== null;
  }

  give(event: LineEvent): void {
    const deliver = this.#deliver;
    this.#deliver = null;
    if (deliver === null) this.#early.push(event);
    else deliver(event);
  }

  /** What came before anyone asked. */
  take(): LineEvent | undefined {
    return this.#early.shift();
  }

  next(): Promise<LineEvent> {
    return new Promise((resolve) => {
      this.#deliver = resolve;
    });
  }
}

/** Lines of a paste that is not at its end, or whose last line is still to be entered: they are one text. */
class PastedLines {
  isPasting = false;
  #lines: string[] = [];

  /** The whole text with its last line; null where more of it is to come. */
  add(line: string): string | null {
    // A form of several lines that was recalled comes with the ends that it has among the entries.
    this.#lines.push(line.replaceAll('\r', '\n'));
    if (this.isPasting) return null;
    const text = this.#lines.join('\n');
    this.clear();
    return text;
  }

  clear(): void {
    this.#lines = [];
  }
}

/** The evaluation that is at work, as far as Ctrl+C can give it up. */
class Evaluation {
  #giveUp: (() => void) | null = null;
  /** Ctrl+C came after a line was handed out and before its evaluation could be given up. */
  #isInterrupted = false;

  /** The function that is returned ends it. */
  begin(giveUp: () => void): () => void {
    this.#giveUp = giveUp;
    if (this.#isInterrupted) giveUp();
    return () => {
      this.#giveUp = null;
    };
  }

  /** False where none is at work. */
  interrupt(): boolean {
    const giveUp = this.#giveUp;
    giveUp?.();
    return giveUp !== null;
  }

  interruptNext(): void {
    this.#isInterrupted = true;
  }

  clearInterrupt(): void {
    this.#isInterrupted = false;
  }
}

/** A terminal that is edited at has keys in place of lines. */
function setEditing(input: Readable, canEdit: boolean, isEditing: boolean): void {
  if (!isEditing) input.pause();
  if (canEdit && 'setRawMode' in input && typeof input.setRawMode === 'function') input.setRawMode(isEditing);
  if (isEditing) input.resume();
}

async function completeLine(
  completing: Promise<LineCompletion>,
  done: (error: null, completion: [string[], string]) => void,
): Promise<void> {
  const [words, part] = await completing.catch((): LineCompletion => [[], '']);
  done(null, [[...words], part]);
}
