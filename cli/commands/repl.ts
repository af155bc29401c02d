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
import type { Command, CommandContext } from './command.ts';
import { errorText, printsText, resultText } from './repl/form-text.ts';
import { NO_HISTORY, openHistory } from './repl/history.ts';
import { givenInputs, setupInputs, SOURCE_MESSAGES } from './repl/inputs.ts';
import type { Input } from './repl/inputs.ts';
import { openInApplication } from './repl/in-application.ts';
import { SCRATCH_BANNER } from './repl/opened.ts';
import type { OpenedRepl, SessionTerms } from './repl/opened.ts';
import { runLineLoop } from './repl/line-loop.ts';
import { streamLines } from './repl/lines.ts';
import type { LineSource } from './repl/lines.ts';
import { replOutput } from './repl/streams.ts';
import type { ReplOutput, ReplStreams } from './repl/streams.ts';
import { terminalLines } from './repl/terminal-lines.ts';

const PREVIEW_CHARACTERS = 2048;

/** Any of these asks for evidence of the session's own. */
const UNAVAILABLE: readonly OptionName[] = ['--trace'];

/** cli.md §11. `streams` are those of the process, others in tests. */
export const replCommand = (streams: () => ReplStreams = processStreams): Command => async (given, context) => {
  const described = optionValue(given, '--describe-profile');
  if (described !== undefined) return (await import('./repl/describe-profile.ts')).describedProfile(described, optionValue(given, '--format') ?? 'clojure');
  if (optionValue(given, '--profile') === 'private-run-catalog-v1' || UNAVAILABLE.some((option) => given.options.has(option))) return unavailableSession();
  if (given.options.has('--profile')) return (await import('./repl/in-profile.ts')).profileCommand(given, context, streams());
  return conversation(given, context, streams());
};

/** The one place that tells of sessions this build does not hold; arguments were checked before. */
function unavailableSession(): CommandEnd {
  return {
    kind: 'failed',
    diagnostic: diagnostic('internal_error', { cause: 'resource_unavailable' }),
    hint: 'this build leaves no trace of sessions in applications, and opens no catalogue of runs: leave out the trace option, and that profile',
  };
}

interface Repl {
  readonly opened: OpenedRepl;
  readonly context: CommandContext;
  readonly streams: ReplStreams;
  readonly output: ReplOutput;
  readonly showCode: (code: string | null) => Promise<void>;
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
    : openScratch(context, terms);
  if ('kind' in opened) return opened;
  const output = replOutput(streams.write);
  const repl: Repl = { opened, context, streams, output, showCode: async (code) => output.complain(code ?? '') };
  const { sourceBytes } = opened.session;
  const inputs = givenInputs(given, context, { streams, sourceBytes });
  try {
    const succeeded = await evaluateAll(repl, [...setupInputs(given, context, sourceBytes), ...(inputs ?? [])])
      && (inputs !== null || await converse(repl) === 'done');
    return { kind: 'conversed', fate: await fateOf(repl, succeeded) };
  } finally {
    await opened.session.close();
  }
}

function openScratch({ runRef, sandbox }: CommandContext, terms: SessionTerms): OpenedRepl {
  return { session: openScratchSession({ ...terms, runRef, sandbox, clock: systemClock }), banner: SCRATCH_BANNER, context: null, keepsHistory: true, pointer: () => '' };
}

function isGiven({ options, positionals }: GivenArguments): boolean {
  return options.has('--eval') || positionals.length > 0;
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
    return await runLineLoop({ ...opened, lines, output, isTerminal: terminal !== null, signal: context.signal, showCode });
  } finally {
    await lines.close();
  }
}

async function typedLines({ variables }: CommandContext, { keepsHistory }: OpenedRepl, { input, output }: { readonly input: Readable; readonly output: Writable }): Promise<LineSource> {
  const history = keepsHistory ? await openHistory(variables) : NO_HISTORY;
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
