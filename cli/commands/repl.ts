import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { CommandOutcome } from '../../contract/exit-status.ts';
import { newRunReference } from '../../contract/run-reference.ts';
import { stopOf } from '../../contract/stop-signals.ts';
import { visibleLines } from '../../contract/visible-text.ts';
import {
  openScratchSession,
  systemClock,
  type RunApprovals,
  type Session,
  type SessionTrace,
} from '../../supervisor/api/sessions.ts';
import { openSessionApprovals } from '../approvals/run-approvals.ts';
import { TerminalTurns } from '../approvals/terminal-turns.ts';
import { optionValue } from '../declaration/argument-values.ts';
import type { CommandArguments } from '../declaration/types.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { fillAtRandom } from '../process/entropy.ts';
import { lostOutput, writeStream } from '../process/output.ts';
import { unwrittenOutputLine } from '../streams/failure-line.ts';
import type { Command, CommandContext } from './command.ts';
import { converse, type Repl } from './repl/converse.ts';
import { errorText, printsText, renderFormResult } from './repl/form-text.ts';
import { requestedInputs, setupInputs, SOURCE_MESSAGES, type Input } from './repl/inputs.ts';
import { openInApplication } from './repl/in-application.ts';
import { SCRATCH_BANNER, type OpenedRepl, type SessionTerms } from './repl/opened.ts';
import { replOutput, type ReplStreams } from './repl/streams.ts';
import { readBuildFacts } from './version.ts';

const PREVIEW_CHARACTERS = 2048;
/** Editors show values in windows of their own. */
const EDITOR_PREVIEW_CHARACTERS = 65_536;

/** cli.md §11. `streams` are those of the process, others in tests. */
export const replCommand =
  (streams: () => ReplStreams = processStreams): Command =>
  async (commandArguments, context) => {
    const described = optionValue(commandArguments, '--describe-profile');
    if (described !== undefined)
      return (await import('./repl/describe-profile.ts')).describedProfile(
        described,
        optionValue(commandArguments, '--format') ?? 'clojure',
      );
    if (commandArguments.options.has('--profile'))
      return (await import('./repl/in-profile.ts')).profileCommand(commandArguments, context, streams());
    return holdConversation(commandArguments, context, streams());
  };

async function holdConversation(
  commandArguments: CommandArguments,
  context: CommandContext,
  streams: ReplStreams,
): Promise<CommandEnd> {
  await context.sandbox();
  const input = hasForms(commandArguments) ? 'given' : 'line-loop';
  const turns = new TerminalTurns();
  const approvals = openSessionApprovals(commandArguments, context.progressStream, turns);
  try {
    return await holdConversationWith({ args: commandArguments, context, streams, input, turns }, approvals.run);
  } finally {
    approvals.close();
  }
}

interface Conversation {
  readonly args: CommandArguments;
  readonly context: CommandContext;
  readonly streams: ReplStreams;
  readonly input: SessionTerms['input'];
  readonly turns: TerminalTurns;
}

async function holdConversationWith(
  { args, context, streams, input, turns }: Conversation,
  approvals: RunApprovals,
): Promise<CommandEnd> {
  const port = optionValue(args, '--nrepl');
  const terms = {
    input,
    isTerminal: port === undefined && streams.terminal !== null,
    previewCharacters: Number(
      optionValue(args, '--preview-chars') ?? (port === undefined ? PREVIEW_CHARACTERS : EDITOR_PREVIEW_CHARACTERS),
    ),
    showCode: context.variables['SVC_SHOW_CODE'] === '1',
    approvals,
  } as const;
  const opened = await openSession(args, context, terms);
  if ('kind' in opened) return opened;
  const output = replOutput(streams.write);
  const repl: Repl = {
    opened,
    context,
    streams,
    output,
    turns,
    showCode: async (code) => output.complain(visibleLines(code ?? '')),
  };
  const { sourceBytes } = opened.session;
  const inputs = requestedInputs(args, context, { streams, sourceBytes });
  let succeeded = false;
  if (port !== undefined) {
    const setup = setupInputs(args, context, sourceBytes);
    if (!(await evaluateAll(repl, setup))) {
      await opened.session.close();
      return { kind: 'conversed', outcome: { outcome: 'conversation_failed' } };
    }
    const { serveEditors } = await import('./repl/serve-nrepl.ts');
    const open = async (): Promise<Session | { readonly refusal: string }> => {
      const further = { ...context, runRef: newRunReference(fillAtRandom) };
      const next = await openSession(args, further, terms);
      if ('kind' in next) return { refusal: 'the application cannot be opened' };
      if (await evaluateAll({ ...repl, opened: next }, setup)) return next.session;
      await next.session.close();
      return { refusal: 'the setup failed' };
    };
    const { version } = readBuildFacts(context.programDirectory);
    const served = { port: Number(port), first: opened.session, open, version };
    return { kind: 'conversed', outcome: await serveEditors(served, context) };
  }
  try {
    succeeded =
      (await evaluateAll(repl, [...setupInputs(args, context, sourceBytes), ...(inputs ?? [])])) &&
      (inputs !== null || (await converse(repl)) === 'done');
  } finally {
    await opened.session.close();
  }
  return { kind: 'conversed', outcome: await settleTrace(repl, succeeded && (await isTraced(repl))) };
}

async function openSession(
  commandArguments: CommandArguments,
  context: CommandContext,
  terms: SessionTerms,
): Promise<OpenedRepl | CommandEnd> {
  return commandArguments.options.has('--project') || commandArguments.options.has('--manifest')
    ? openInApplication(commandArguments, context, terms)
    : openScratch(commandArguments, context, terms);
}

async function openScratch(
  commandArguments: CommandArguments,
  { runRef, sandbox, workingDirectory }: CommandContext,
  terms: SessionTerms,
): Promise<OpenedRepl | CommandEnd> {
  const path = optionValue(commandArguments, '--trace');
  const trace = path === undefined ? null : await openTracedScratch(path, workingDirectory);
  if (trace !== null && 'kind' in trace) return trace;
  const session = openScratchSession({
    ...terms,
    runRef,
    sandbox,
    clock: systemClock,
    ...(trace === null ? {} : { onSealed: trace.onSealed }),
  });
  return { session, banner: SCRATCH_BANNER, context: null, keepsHistory: true, trace, pointer: () => '' };
}

async function openTracedScratch(path: string, workingDirectory: string): Promise<SessionTrace | CommandEnd> {
  const { TRACE_HINTS, openSessionTrace } = await import('../../supervisor/api/sessions.ts');
  const trace = await openSessionTrace(path, workingDirectory, false);
  return typeof trace === 'string'
    ? { kind: 'failed', diagnostic: diagnostic(trace), hint: TRACE_HINTS[trace] }
    : trace;
}

/** Whether the events of the session are where they were wanted. */
async function isTraced({ opened, output, context }: Repl): Promise<boolean> {
  if (opened.trace?.end() !== 'trace_publication_failed') return true;
  await output.complain(
    `error: repl/trace_publication_failed: the events of this session could not be appended to its trace (run_ref: ${context.runRef})\n`,
  );
  return false;
}

function hasForms({ options, positionals }: CommandArguments): boolean {
  return options.has('--eval') || positionals.length > 0;
}

/** In order, up to the first failure. */
async function evaluateAll(repl: Repl, inputs: readonly Input[]): Promise<boolean> {
  for (const input of inputs) if (!(await evaluateInput(repl, input))) return false;
  return true;
}

async function evaluateInput(
  { opened: { session, pointer }, context, output, showCode }: Repl,
  { read, name, showsValue }: Input,
): Promise<boolean> {
  const source = await read();
  if (!source.ok) {
    await output.complain(
      `error: repl/${source.code}: ${SOURCE_MESSAGES[source.code](session.sourceBytes)} (run_ref: ${context.runRef})\n`,
    );
    return false;
  }
  const end = await session.evaluate(source.text, context.signal);
  await showCode(end.code);
  await output.print(showsValue ? renderFormResult(end) : printsText(end));
  if (end.kind === 'failed') await output.complain(pointer(end.error, source.text) + errorText(end.error, name));
  return end.kind === 'value' && output.failure() === null;
}

async function settleTrace({ context, output, streams }: Repl, succeeded: boolean): Promise<CommandOutcome> {
  const stop = stopOf(context.signal);
  if (stop !== null) return { outcome: 'stopped', stop };
  const failure = output.failure();
  if (failure === 'failed') await streams.write(2, `${unwrittenOutputLine(context.runRef)}\n`);
  if (failure !== null) return lostOutput(failure);
  return { outcome: succeeded ? 'succeeded' : 'conversation_failed' };
}

function processStreams(): ReplStreams {
  const { stdin, stdout } = process;
  return { stdin, terminal: stdin.isTTY && stdout.isTTY ? stdout : null, write: writeStream };
}
