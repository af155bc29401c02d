import { WriteStream } from 'node:tty';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { CommandFate } from '../../contract/exit-status.ts';
import { stopOf } from '../../contract/stop-signals.ts';
import { openScratchSession, systemClock } from '../../supervisor/api/repl.ts';
import { optionValue } from '../declaration/given.ts';
import type { GivenArguments, OptionName } from '../declaration/types.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { lostOutput, writeStream } from '../process/output.ts';
import { unwrittenOutputLine } from '../streams/failure-line.ts';
import { onOneLine } from '../streams/printable.ts';
import { stylingOf } from '../streams/styling.ts';
import type { Command, CommandContext } from './command.ts';
import { complete } from './repl/complete.ts';
import { errorText, printsText, resultText } from './repl/form-text.ts';
import { NO_HISTORY, openHistory } from './repl/history.ts';
import { openInApplication } from './repl/in-application.ts';
import { SCRATCH_BANNER } from './repl/opened.ts';
import type { SessionTrace } from '../../supervisor/api/session-trace.ts';
import type { OpenedRepl, SessionTerms } from './repl/opened.ts';
import { metaWords, runLineLoop } from './repl/line-loop.ts';
import type { Screen } from './repl/pages.ts';
import { streamLines } from './repl/lines.ts';
import type { LineSource } from './repl/lines.ts';
import { readSource, readSourceFile } from './repl/source.ts';
import type { SourceReading } from './repl/source.ts';
import { replOutput } from './repl/streams.ts';
import type { ReplOutput, ReplStreams } from './repl/streams.ts';
import { terminalLines } from './repl/terminal-lines.ts';

const PREVIEW_CHARACTERS = 2048;

/** Any of these asks for a session with captured runs. */
const UNAVAILABLE: readonly OptionName[] = ['--profile'];

const SOURCE_MESSAGES: Readonly<Record<Extract<SourceReading, { ok: false }>['code'], (bytes: number) => string>> = {
  source_unavailable: () => 'the source cannot be read',
  source_limit_exceeded: (bytes) => `the source is larger than ${bytes} bytes`,
  malformed_source: () => 'the source is not valid UTF-8',
};

/** cli.md §11. `streams` are those of the process, others in tests. */
export const replCommand = (streams: () => ReplStreams = processStreams): Command => async (given, context) => {
  const described = optionValue(given, '--describe-profile');
  if (described !== undefined) return (await import('./repl/describe-profile.ts')).describedProfile(described, optionValue(given, '--format') ?? 'clojure');
  if (UNAVAILABLE.some((option) => given.options.has(option))) return unavailableSession();
  return conversation(given, context, streams());
};

/** The one place that tells of sessions this build does not hold; arguments were checked before. */
function unavailableSession(): CommandEnd {
  return {
    kind: 'failed',
    diagnostic: diagnostic('internal_error', { cause: 'resource_unavailable' }),
    hint: 'this build holds no sessions over captured runs: leave out the profile options',
  };
}

interface Repl {
  readonly opened: OpenedRepl;
  readonly context: CommandContext;
  readonly streams: ReplStreams;
  readonly output: ReplOutput;
  readonly showCode: (code: string | null) => Promise<void>;
}

/** One text to evaluate. */
interface Input {
  readonly read: () => Promise<SourceReading>;
  /** Shown before a place in it; null for expressions of the command line. */
  readonly name: string | null;
  /** Setup files are evaluated for what they define. */
  readonly showsValue: boolean;
}

async function conversation(given: GivenArguments, context: CommandContext, streams: ReplStreams): Promise<CommandEnd> {
  await context.sandbox();
  const input = isGiven(given) ? 'given' : 'line-loop';
  const terms = {
    input, isTerminal: streams.terminal !== null,
    previewCharacters: Number(optionValue(given, '--preview-chars') ?? PREVIEW_CHARACTERS), showCode: context.variables['SVC_SHOW_CODE'] === '1',
  } as const;
  const opened = given.options.has('--project') || given.options.has('--manifest')
    ? await openInApplication(given, context, terms)
    : await openScratch(given, context, terms);
  if ('kind' in opened) return opened;
  const output = replOutput(streams.write);
  const repl: Repl = { opened, context, streams, output, showCode: async (code) => output.complain(code ?? '') };
  const { sourceBytes } = opened.session;
  const inputs = givenInputs(given, context, { streams, sourceBytes });
  let succeeded = false;
  try {
    succeeded = await evaluateAll(repl, [...setupInputs(given, context, sourceBytes), ...(inputs ?? [])])
      && (inputs !== null || await converse(repl) === 'done');
  } finally {
    await opened.session.close();
  }
  return { kind: 'conversed', fate: await fateOf(repl, succeeded && await isTraced(repl)) };
}

async function openScratch(given: GivenArguments, { runRef, sandbox, workingDirectory }: CommandContext, terms: SessionTerms): Promise<OpenedRepl | CommandEnd> {
  const path = optionValue(given, '--trace');
  const trace = path === undefined ? null : await tracedScratch(path, workingDirectory);
  if (trace !== null && 'kind' in trace) return trace;
  const session = openScratchSession({ ...terms, runRef, sandbox, clock: systemClock, ...(trace === null ? {} : { onSealed: trace.onSealed }) });
  return { session, banner: SCRATCH_BANNER, context: null, keepsHistory: true, trace, pointer: () => '' };
}

async function tracedScratch(path: string, workingDirectory: string): Promise<SessionTrace | CommandEnd> {
  const { TRACE_HINTS, openSessionTrace } = await import('../../supervisor/api/session-trace.ts');
  const trace = await openSessionTrace(path, workingDirectory, false);
  return typeof trace === 'string' ? { kind: 'failed', diagnostic: diagnostic(trace), hint: TRACE_HINTS[trace] } : trace;
}

/** Whether the events of the session are where they were wanted. */
async function isTraced({ opened, output, context }: Repl): Promise<boolean> {
  if (opened.trace?.end() !== 'trace_publication_failed') return true;
  await output.complain(`error: repl/trace_publication_failed: the events of this session could not be appended to its trace (run_ref: ${context.runRef})\n`);
  return false;
}

function isGiven({ options, positionals }: GivenArguments): boolean {
  return options.has('--eval') || positionals.length > 0;
}

function setupInputs(given: GivenArguments, context: CommandContext, sourceBytes: number): readonly Input[] {
  const path = optionValue(given, '--load');
  return path === undefined ? [] : [fileInput(path, context, { sourceBytes, showsValue: false })];
}

/** What is evaluated besides the setup; null is the line loop (cli.md §11, "Input"). */
function givenInputs(given: GivenArguments, context: CommandContext, { streams, sourceBytes }: { readonly streams: ReplStreams; readonly sourceBytes: number }): readonly Input[] | null {
  const expressions = given.options.get('--eval');
  if (expressions !== undefined) {
    return expressions.map((text) => ({ read: async () => ({ ok: true, text }), name: null, showsValue: true }));
  }
  const [script] = given.positionals;
  if (script === undefined) return null;
  if (script !== '-') return [fileInput(script, context, { sourceBytes, showsValue: true })];
  return [{ read: async () => readSource(streams.stdin, sourceBytes, context.signal), name: '-', showsValue: true }];
}

function fileInput(path: string, { workingDirectory, signal }: CommandContext, { sourceBytes, showsValue }: { readonly sourceBytes: number; readonly showsValue: boolean }): Input {
  const read = async (): Promise<SourceReading> => readSourceFile(resolve(workingDirectory, path), sourceBytes, signal);
  return { read, name: onOneLine(path), showsValue };
}

/** In order, up to the first failure. */
async function evaluateAll(repl: Repl, inputs: readonly Input[]): Promise<boolean> {
  for (const input of inputs) if (!await evaluateInput(repl, input)) return false;
  return true;
}

async function evaluateInput({ opened: { session, pointer }, context, output, showCode }: Repl, { read, name, showsValue }: Input): Promise<boolean> {
  const source = await read();
  if (!source.ok) {
    await output.complain(`error: repl/${source.code}: ${SOURCE_MESSAGES[source.code](session.sourceBytes)} (run_ref: ${context.runRef})\n`);
    return false;
  }
  const end = await session.evaluate(source.text, context.signal);
  await showCode(end.code);
  await output.print(showsValue ? resultText(end) : printsText(end));
  if (end.kind === 'failed') await output.complain(pointer(end.error, source.text) + errorText(end.error, name));
  return end.kind === 'value' && output.failure() === null;
}

async function converse({ opened, context, streams, output, showCode }: Repl): Promise<'done' | 'limit'> {
  const { stdin, terminal } = streams;
  const lines = terminal === null ? streamLines(stdin, opened.session.sourceBytes, output.print) : await typedLines(context, opened, { input: stdin, output: terminal });
  try {
    return await runLineLoop({ ...opened, lines, output, isTerminal: terminal !== null, hasColour: stylingOf({ isTerminal: terminal !== null, columns: undefined }, context.variables).colour, screen: () => screenOf(terminal), signal: context.signal, showCode });
  } finally {
    await lines.close();
  }
}

async function typedLines({ variables }: CommandContext, { session, context: shown, keepsHistory }: OpenedRepl, { input, output }: { readonly input: Readable; readonly output: Writable }): Promise<LineSource> {
  const history = keepsHistory ? await openHistory(variables) : NO_HISTORY;
  return terminalLines({
    input, output, canEdit: variables['TERM'] !== 'dumb', complete: async (line) => complete(line, session, metaWords(shown !== null)), history: history.lines, saveHistory: history.save,
  });
}

/** Of a terminal that says how large it is, as large as it is now. */
function screenOf(terminal: Writable | null): Screen | null {
  if (!(terminal instanceof WriteStream)) return null;
  const { rows, columns } = terminal;
  return rows > 0 && columns > 0 ? { rows, columns } : null;
}

async function fateOf({ context, output, streams }: Repl, succeeded: boolean): Promise<CommandFate> {
  const stop = stopOf(context.signal);
  if (stop !== null) return { fate: 'stopped', stop };
  const failure = output.failure();
  if (failure === 'failed') await streams.write(2, `${unwrittenOutputLine(context.runRef)}\n`);
  if (failure !== null) return lostOutput(failure);
  return { fate: succeeded ? 'succeeded' : 'conversation_failed' };
}

function processStreams(): ReplStreams {
  const { stdin, stdout } = process;
  return { stdin, terminal: stdin.isTTY && stdout.isTTY ? stdout : null, write: writeStream };
}
