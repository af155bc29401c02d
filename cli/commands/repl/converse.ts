import type { Readable, Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { stylingOf } from '../../streams/styling.ts';
import type { TerminalTurns } from '../../approvals/terminal-turns.ts';
import type { CommandContext } from '../command.ts';
import { complete } from './complete.ts';
import { NO_HISTORY, openHistory } from './history.ts';
import { metaWords, runLineLoop } from './line-loop.ts';
import { streamLines, type LineSource } from './lines.ts';
import type { OpenedRepl } from './opened.ts';
import type { Screen } from './pages.ts';
import type { ReplOutput, ReplStreams } from './streams.ts';
import { terminalLines } from './terminal-lines.ts';

/** A session and what it is conversed with. */
export interface Repl {
  readonly opened: OpenedRepl;
  readonly context: CommandContext;
  readonly streams: ReplStreams;
  readonly output: ReplOutput;
  readonly showCode: (code: string | null) => Promise<void>;
  /** Whose turn at the terminal it is; null where no question comes. */
  readonly turns: TerminalTurns | null;
}

/** The line loop of a session, at a terminal or over a pipe. */
export async function converse({ opened, context, streams, output, showCode, turns }: Repl): Promise<'done' | 'limit'> {
  const { stdin, terminal } = streams;
  const lines =
    terminal === null
      ? streamLines(stdin, opened.session.sourceBytes, output.print)
      : await readTypedLines(context, opened, { input: stdin, output: terminal });
  const endTurns = turns?.begin(lines.terminal);
  try {
    return await runLineLoop({
      ...opened,
      lines,
      output,
      isTerminal: terminal !== null,
      hasColour: stylingOf({ isTerminal: terminal !== null, columns: undefined }, context.variables).colour,
      screen: () => screenOf(terminal),
      signal: context.signal,
      showCode,
    });
  } finally {
    endTurns?.();
    await lines.close();
  }
}

async function readTypedLines(
  { variables }: CommandContext,
  { session, context: shown, keepsHistory }: OpenedRepl,
  { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<LineSource> {
  const history = keepsHistory ? await openHistory(variables) : NO_HISTORY;
  return terminalLines({
    input,
    output,
    canEdit: variables['TERM'] !== 'dumb',
    complete: async (line) => complete(line, session, metaWords(shown !== null)),
    history: history.lines,
    saveHistory: history.save,
  });
}

/** Of a terminal that says how large it is, as large as it is now. */
function screenOf(terminal: Writable | null): Screen | null {
  if (!(terminal instanceof WriteStream)) return null;
  const { rows, columns } = terminal;
  return rows > 0 && columns > 0 ? { rows, columns } : null;
}
