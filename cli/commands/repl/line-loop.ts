import { visibleLines } from '../../../contract/visible-text.ts';
import type { FormError, Session } from '../../../supervisor/api/sessions.ts';
import { errorText, recoveryText, renderFormResult } from './form-text.ts';
import type { LineEvent, LineSource } from './lines.ts';
import { showPages, type Screen } from './pages.ts';
import type { ReplOutput } from './streams.ts';

/** What a typed form is called where its place is reported. */
const TYPED = 'repl';
const PROMPT = 'svc> ';
const CONTINUATION_PROMPT = '...> ';

const TERMINAL_HINT = 'apropos, doc, dir, export-meta and source explain names; :help lists the commands.\n';
const CONTEXT_HELP = ':context       what a model sees of this mission\n';
const TOO_LONG = 'The value is too long to be printed whole.';
const RAW = 'Control characters of programs are printed as they are; :raw again shows them by their numbers.\n';
const NOT_RAW = 'Control characters are shown by their numbers.\n';
const HELP = `:help          this list
:more          the last value whole, page by page
:raw           print control characters of programs as they are, or no longer
:quit, :exit   end the session; so does Ctrl+D
*1 *2 *3       the last three values
*e             the last error: (ex-message *e), (ex-data *e), (ex-cause *e)
Forms may go over several lines. Ctrl+C gives up a form or its evaluation, Ctrl+R searches the forms before.
`;

/** A line that is a keyword alone may ask the loop, not the language. */
const META = /^\s*:([^\s,;()[\]{}"]+)\s*$/;

const REFUSALS = {
  'too-long': { kind: 'program_too_large', message: 'the line is longer than a form may be', place: null },
  'not-utf8': { kind: 'parse_error', message: 'the line is not valid UTF-8', place: null },
} as const;

export interface LineLoop {
  readonly session: Session;
  /** What it greets with: a line or more. */
  readonly banner: string;
  /** What `:context` shows; null where there is none. */
  readonly context: string | null;
  /** A line that leads from an error to where its author may have wanted to be; empty without. */
  readonly pointer: (error: FormError, source: string) => string;
  readonly lines: LineSource;
  readonly output: ReplOutput;
  readonly isTerminal: boolean;
  /** Whether values are coloured. */
  readonly hasColour: boolean;
  /** How much the terminal shows now; null without one. */
  readonly screen: () => Screen | null;
  /** Aborted when the whole command is to stop. */
  readonly signal: AbortSignal;
  /** Shows generated code, if that was asked for. */
  readonly showCode: (code: string | null) => Promise<void>;
}

/** How the loop ended: by the person, or because the session had reached one of its limits. */
export type LoopEnd = 'done' | 'limit';

/** Reads forms line by line, evaluates each as soon as it is whole, and answers on stdout (cli.md §11, line loop). */
export async function runLineLoop(loop: LineLoop): Promise<LoopEnd> {
  const { session, lines, output, signal } = loop;
  await output.print(loop.isTerminal ? loop.banner + TERMINAL_HINT : loop.banner);
  let pending = '';
  let isRaw = false;
  while (output.failure() === null) {
    const event = await raceStop(lines.next(pending === '' ? PROMPT : CONTINUATION_PROMPT), signal);
    if (signal.aborted) return 'done';
    if (session.hasEnded()) return evaluateLine(loop, '', isRaw);
    if (event.kind === 'end') {
      await output.print('\n');
      return pending === '' ? 'done' : evaluateLine(loop, pending, isRaw);
    }
    if (event.kind === 'line') {
      const word = pending === '' ? META.exec(event.text)?.[1] : undefined;
      // Any other keyword is a value of the language.
      const meta = word !== undefined && metaWords(loop.context !== null).includes(word) ? word : undefined;
      if (meta !== undefined) lines.remember(event.text);
      if (meta === 'quit' || meta === 'exit') return 'done';
      if (meta !== undefined) {
        if (meta === 'more')
          await showPages(wholeText((await session.wholeValue()) ?? TOO_LONG, isRaw), loop.screen(), {
            print: output.print,
            lines,
          });
        else if (meta === 'raw') {
          isRaw = !isRaw;
          await output.print(isRaw ? RAW : NOT_RAW);
        } else await output.print(metaText(loop, meta));
        continue;
      }
      const source = pending + event.text;
      const status = await session.readiness(source);
      pending = status === 'incomplete' ? `${source}\n` : '';
      if (status === 'complete') lines.remember(source);
      if (status === 'complete' && (await evaluateLine(loop, source, isRaw)) === 'limit') return 'limit';
    } else {
      if (event.kind === 'refused') await output.print(errorText(REFUSALS[event.reason], null));
      pending = '';
    }
  }
  return 'done';
}

function wholeText(text: string, isRaw: boolean): string {
  return isRaw ? text : visibleLines(text);
}

/** What a line of a keyword alone may ask. */
export function metaWords(hasContext: boolean): readonly string[] {
  return ['help', ...(hasContext ? ['context'] : []), 'more', 'raw', 'quit', 'exit'];
}

function metaText({ context }: LineLoop, meta: string): string {
  if (meta === 'context' && context !== null) return visibleLines(context);
  return context === null ? HELP : CONTEXT_HELP + HELP;
}

async function evaluateLine(
  { session, lines, output, signal, showCode, pointer, hasColour }: LineLoop,
  source: string,
  isRaw: boolean,
): Promise<LoopEnd> {
  const interruption = new AbortController();
  const release = lines.onInterrupt(() => interruption.abort());
  const end = await session.evaluate(source, AbortSignal.any([signal, interruption.signal]));
  release();
  await showCode(end.code);
  const showing = { hasColour, isRaw };
  await output.print(renderFormResult(end, showing));
  if (end.kind === 'failed') await output.print(pointer(end.error, source) + errorText(end.error, TYPED, showing));
  if (end.recovered !== null) await output.print(recoveryText(end.recovered));
  return end.ended ? 'limit' : 'done';
}

/** A person who never types another line must not keep a command from stopping. */
async function raceStop(line: Promise<LineEvent>, signal: AbortSignal): Promise<LineEvent> {
  let stop = (): void => undefined;
  const stopped = new Promise<LineEvent>((resolve) => {
    stop = (): void => resolve({ kind: 'end' });
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([line, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
