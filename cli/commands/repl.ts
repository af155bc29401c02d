import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { CommandFate } from '../../contract/exit-status.ts';
import { stopOf } from '../../contract/stop-signals.ts';
import { openScratchSession, SCRATCH_SOURCE_BYTES, systemClock } from '../../supervisor/api/repl.ts';
import type { Session } from '../../supervisor/api/repl.ts';
import { optionValue } from '../declaration/given.ts';
import type { GivenArguments, OptionName } from '../declaration/types.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { lostOutput, writeStream } from '../process/output.ts';
import { unwrittenOutputLine } from '../streams/failure-line.ts';
import { onOneLine } from '../streams/printable.ts';
import type { Command, CommandContext } from './command.ts';
import { errorText, printsText, resultText } from './repl/form-text.ts';
import { openHistory } from './repl/history.ts';
import { runLineLoop } from './repl/line-loop.ts';
import { streamLines } from './repl/lines.ts';
import type { LineSource } from './repl/lines.ts';
import { readSource, readSourceFile } from './repl/source.ts';
import type { SourceReading } from './repl/source.ts';
import { replOutput } from './repl/streams.ts';
import type { ReplOutput, ReplStreams } from './repl/streams.ts';
import { terminalLines } from './repl/terminal-lines.ts';

const PREVIEW_CHARACTERS = 2048;

/** Any of these asks for a session with an application, captured runs or evidence of its own. */
const BEYOND_SCRATCH: readonly OptionName[] = ['--project', '--manifest', '--profile', '--describe-profile', '--trace'];

const SOURCE_MESSAGES: Readonly<Record<Extract<SourceReading, { ok: false }>['code'], string>> = {
  source_unavailable: 'the source cannot be read',
  source_limit_exceeded: `the source is larger than ${SCRATCH_SOURCE_BYTES} bytes`,
  malformed_source: 'the source is not valid UTF-8',
};

/** cli.md §11. `streams` are those of the process, others in tests. */
export const replCommand = (streams: () => ReplStreams = processStreams): Command => async (given, context) => {
  if (BEYOND_SCRATCH.some((option) => given.options.has(option))) return unavailableSession();
  return scratch(given, context, streams());
};

/** The one place that tells of sessions this build does not hold; arguments were checked before. */
function unavailableSession(): CommandEnd {
  return {
    kind: 'failed',
    diagnostic: diagnostic('internal_error', { cause: 'resource_unavailable' }),
    hint: 'this build holds scratch sessions only: leave out the project, manifest, profile and trace options',
  };
}

interface Repl {
  readonly session: Session;
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

async function scratch(given: GivenArguments, context: CommandContext, streams: ReplStreams): Promise<CommandEnd> {
  await context.sandbox();
  const inputs = givenInputs(given, context, streams);
  const showsCode = context.variables['SVC_SHOW_CODE'] === '1';
  const output = replOutput(streams.write);
  const session = openScratchSession({
    runRef: context.runRef, sandbox: context.sandbox, clock: systemClock, input: inputs === null ? 'line-loop' : 'given',
    previewCharacters: Number(optionValue(given, '--preview-chars') ?? PREVIEW_CHARACTERS), showCode: showsCode,
  });
  const repl: Repl = { session, context, streams, output, showCode: async (code) => output.complain(code ?? '') };
  try {
    const succeeded = await evaluateAll(repl, [...setupInputs(given, context), ...(inputs ?? [])])
      && (inputs !== null || await converse(repl) === 'done');
    return { kind: 'conversed', fate: await fateOf(repl, succeeded) };
  } finally {
    await session.close();
  }
}

function setupInputs(given: GivenArguments, context: CommandContext): readonly Input[] {
  const path = optionValue(given, '--load');
  return path === undefined ? [] : [fileInput(path, context, false)];
}

/** What is evaluated besides the setup; null is the line loop (cli.md §11, "Input"). */
function givenInputs(given: GivenArguments, context: CommandContext, streams: ReplStreams): readonly Input[] | null {
  const expressions = given.options.get('--eval');
  if (expressions !== undefined) {
    return expressions.map((text) => ({ read: async () => ({ ok: true, text }), name: null, showsValue: true }));
  }
  const [script] = given.positionals;
  if (script === undefined) return null;
  if (script !== '-') return [fileInput(script, context, true)];
  return [{ read: async () => readSource(streams.stdin, SCRATCH_SOURCE_BYTES, context.signal), name: '-', showsValue: true }];
}

function fileInput(path: string, { workingDirectory, signal }: CommandContext, showsValue: boolean): Input {
  const read = async (): Promise<SourceReading> => readSourceFile(resolve(workingDirectory, path), SCRATCH_SOURCE_BYTES, signal);
  return { read, name: onOneLine(path), showsValue };
}

/** In order, up to the first failure. */
async function evaluateAll(repl: Repl, inputs: readonly Input[]): Promise<boolean> {
  for (const input of inputs) if (!await evaluateInput(repl, input)) return false;
  return true;
}

async function evaluateInput({ session, context, output, showCode }: Repl, { read, name, showsValue }: Input): Promise<boolean> {
  const source = await read();
  if (!source.ok) {
    await output.complain(`error: repl/${source.code}: ${SOURCE_MESSAGES[source.code]} (run_ref: ${context.runRef})\n`);
    return false;
  }
  const end = await session.evaluate(source.text, context.signal);
  await showCode(end.code);
  await output.print(showsValue ? resultText(end) : printsText(end));
  if (end.kind === 'failed') await output.complain(errorText(end.error, name));
  return end.kind === 'value' && output.failure() === null;
}

async function converse({ session, context, streams, output, showCode }: Repl): Promise<'done' | 'limit'> {
  const { stdin, terminal } = streams;
  const lines = terminal === null ? streamLines(stdin, SCRATCH_SOURCE_BYTES, output.print) : await typedLines(context, stdin, terminal);
  try {
    return await runLineLoop({ session, lines, output, isTerminal: terminal !== null, signal: context.signal, showCode });
  } finally {
    await lines.close();
  }
}

async function typedLines({ variables }: CommandContext, input: Readable, output: Writable): Promise<LineSource> {
  const history = await openHistory(variables);
  return terminalLines({
    input, output, canEdit: variables['TERM'] !== 'dumb', history: history.lines, saveHistory: history.save,
  });
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
