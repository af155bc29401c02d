import type { CommandOutcome } from '../../../contract/exit-status.ts';
import { stopOf } from '../../../contract/stop-signals.ts';
import {
  openAnalysisSession,
  PROFILE_SOURCE_BYTES,
  type AnalysisSession,
  type AnalysisSessionOptions,
  type SetupRefusal,
} from '../../../supervisor/api/sessions.ts';
import { needsProject } from '../../declaration/default-document.ts';
import { optionValue } from '../../declaration/argument-values.ts';
import type { CommandArguments } from '../../declaration/types.ts';
import type { CommandEnd } from '../../ending/command-end.ts';
import { lostOutput } from '../../process/output.ts';
import { unwrittenOutputLine } from '../../streams/failure-line.ts';
import type { CommandContext } from '../command.ts';
import { findSelectedRun } from '../selected-run.ts';
import { openDocumentServices } from '../document-services.ts';
import { requestedInputs, setupInputs } from './inputs.ts';
import { converseInProfile, evaluateInputs, type Evaluations } from './profile-evaluations.ts';
import { clojureVoice, jsonVoice, type ProfileFailure, type ProfileVoice } from './profile-voice.ts';
import { replOutput, type ReplStreams } from './streams.ts';

const PREVIEW_CHARACTERS = 2048;

/** A session over captured runs (cli.md §11, analysis). */
export async function profileCommand(
  commandArguments: CommandArguments,
  context: CommandContext,
  streams: ReplStreams,
): Promise<CommandEnd> {
  const output = replOutput(streams.write);
  const isJson = optionValue(commandArguments, '--format') === 'jsonl';
  const voice = isJson ? jsonVoice(output, context.runRef) : clojureVoice(output, context.runRef);
  const inputs = requestedInputs(commandArguments, context, { streams, sourceBytes: PROFILE_SOURCE_BYTES });
  const selected = await selectRuns(commandArguments, context);
  const refusal = gateRefusal(commandArguments, streams);
  const opened =
    refusal ??
    (selected.ok
      ? await openAnalysisSession(await readSessionOptions(commandArguments, context, selected.runs, isJson))
      : selected);
  if (!opened.ok) {
    await voice.failed(setupFailure(opened));
    return endSession(context, streams, output, false);
  }
  const { value: session } = opened;
  const setting = {
    session: session.session,
    profile: session.profile,
    context,
    output,
    voice,
    previewCharacters: previewCharacters(commandArguments),
    continues: commandArguments.options.has('--continue-on-error'),
  };
  let evaluations: Evaluations | null = null;
  try {
    await voice.started(session);
    const setup = await evaluateInputs(setting, setupInputs(commandArguments, context, PROFILE_SOURCE_BYTES), 0);
    if (setup.failure !== null) evaluations = setup;
    else if (inputs !== null) evaluations = await evaluateInputs(setting, inputs, setup.count);
    else evaluations = await converseInProfile(setting, streams);
  } finally {
    const succeeded = await closeSession(commandArguments, session, evaluations, voice);
    evaluations =
      evaluations === null || succeeded ? evaluations : { ...evaluations, failure: evaluations.failure ?? LOST };
  }
  return endSession(context, streams, output, evaluations !== null && evaluations.failure === null);
}

const LOST: ProfileFailure = {
  category: 'persistence',
  code: null,
  message: 'the session could not be written',
  hint: null,
};

/** Whether its trace, and the value that was asked for, are written. */
async function closeSession(
  commandArguments: CommandArguments,
  session: AnalysisSession,
  evaluations: Evaluations | null,
  voice: ProfileVoice,
): Promise<boolean> {
  const asksOutput = commandArguments.options.has('--output') || commandArguments.options.has('--private-output');
  const value = asksOutput && evaluations !== null && evaluations.failure === null ? evaluations.lastJson : null;
  const report = await session.close(value);
  await voice.closed({
    report,
    count: evaluations?.count ?? 0,
    terminalReason: evaluations === null ? 'internal_error' : evaluations.terminalReason,
  });
  if (evaluations?.failure !== undefined && evaluations.failure !== null) await voice.failed(evaluations.failure);
  const isValueStored = report.output === 'written' || !asksOutput || (evaluations?.failure ?? null) !== null;
  if (!report.isTraceWritten) await voice.failed({ ...LOST, message: 'the trace of the session could not be written' });
  if (!isValueStored)
    await voice.failed({
      ...LOST,
      message: value === null ? 'the value of the expression is no JSON' : 'the value could not be written',
    });
  return report.isTraceWritten && isValueStored;
}

/**
 * What is private goes to a terminal that was named for it, or to streams that were: never to others (cli.md §11,
 * private gates).
 */
function gateRefusal({ options }: CommandArguments, { terminal }: ReplStreams): SetupRefusal | null {
  if (!options.has('--private-terminal') || terminal !== null) return null;
  return {
    ok: false,
    code: 'command_failed',
    message: '--private-terminal needs a terminal at standard input and standard output',
    hint: null,
  };
}

/** The runs that the line asks for, each by its own reference. */
async function selectRuns(
  commandArguments: CommandArguments,
  context: CommandContext,
): Promise<{ readonly ok: true; readonly runs: readonly string[] } | SetupRefusal> {
  const runs: string[] = [];
  for (const word of commandArguments.options.get('--run') ?? []) {
    const found = needsProject(word) ? await findSelectedRun(word, commandArguments, context) : null;
    if (found?.ok === false)
      return { ok: false, code: 'command_failed', message: `--run ${word} names no run`, hint: found.hint };
    runs.push(found?.run.runRef ?? word);
  }
  return { ok: true, runs };
}

async function readSessionOptions(
  commandArguments: CommandArguments,
  context: CommandContext,
  runs: readonly string[],
  isJson: boolean,
): Promise<AnalysisSessionOptions> {
  const output = optionValue(commandArguments, '--output') ?? optionValue(commandArguments, '--private-output') ?? null;
  return {
    ...(await openDocumentServices(context)),
    runRef: context.runRef,
    profile: optionValue(commandArguments, '--profile') ?? '',
    project: optionValue(commandArguments, '--project') ?? null,
    resources: new Map((commandArguments.options.get('--resource') ?? []).map(resourceOf)),
    runs,
    traceDirectory: optionValue(commandArguments, '--session-trace-dir') ?? null,
    output,
    projection: isJson || output !== null ? 'json' : 'preview',
    previewCharacters: previewCharacters(commandArguments),
    showCode: false,
  };
}

function resourceOf(text: string): [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

function previewCharacters(commandArguments: CommandArguments): number {
  return Number(optionValue(commandArguments, '--preview-chars') ?? PREVIEW_CHARACTERS);
}

function setupFailure({ code, message, hint, conflict }: SetupRefusal): ProfileFailure {
  return {
    category: 'setup',
    code: code === 'command_failed' ? null : code,
    message,
    hint,
    ...(conflict === undefined ? {} : { conflict }),
  };
}

async function endSession(
  { runRef, signal }: CommandContext,
  streams: ReplStreams,
  output: ReturnType<typeof replOutput>,
  succeeded: boolean,
): Promise<CommandEnd> {
  return { kind: 'conversed', outcome: await settleTrace(runRef, signal, streams, output, succeeded) };
}

async function settleTrace(
  runRef: string,
  signal: AbortSignal,
  streams: ReplStreams,
  output: ReturnType<typeof replOutput>,
  succeeded: boolean,
): Promise<CommandOutcome> {
  const stop = stopOf(signal);
  if (stop !== null) return { outcome: 'stopped', stop };
  const failure = output.failure();
  if (failure === 'failed') await streams.write(2, `${unwrittenOutputLine(runRef)}\n`);
  if (failure !== null) return lostOutput(failure);
  return { outcome: succeeded ? 'succeeded' : 'conversation_failed' };
}
