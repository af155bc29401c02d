import { basename } from 'node:path';
import { APPROVAL_WORDS } from '../../contract/approval.ts';
import { visibleText } from '../../contract/visible-text.ts';
import {
  guardedObserver,
  reporterOf,
  telemetryOf,
  type RunObserver,
  runApplication,
  type InputStream,
  type RunOptions,
} from '../../supervisor/api/run.ts';
import { userGrantUse, publicationTools } from '../../supervisor/api/machine.ts';
import { openApprovals } from '../approvals/run-approvals.ts';
import { optionValue, requiredArgument } from '../declaration/argument-values.ts';
import type { CommandArguments } from '../declaration/types.ts';
import { failureEnvelope } from '../ending/failure-envelope.ts';
import { reportEnvelope } from '../ending/command-end.ts';
import { STANDARD_INPUT, standardInput } from '../process/standard-input.ts';
import { interruptedLine } from '../streams/interrupted-run.ts';
import { lostEventsLine } from '../streams/lost-events.ts';
import { endedByCall, failedCallsLine } from '../streams/provider-words.ts';
import { missedLine } from '../streams/missed-request.ts';
import { startProgress, type Progress } from '../progress/progress.ts';
import { writeOver } from '../progress/stream.ts';
import type { Command, CommandContext } from './command.ts';
import { openDocumentServices } from './document-services.ts';
import { buildInput, buildsInput } from './run-input.ts';

/** cli.md §10, run. `run` is the supervisor's, another one in tests. */
export const runCommand =
  (run: typeof runApplication = runApplication): Command =>
  async (commandArguments, context) => {
    const built = buildsInput(commandArguments) ? await buildInput(commandArguments, context.signal) : null;
    if (built?.ok === false)
      return reportEnvelope(failureEnvelope('run', context.runRef, built.diagnostic), { hint: built.hint });
    const options = await runOptions(commandArguments, context, built?.stream ?? null);
    const progress = progressOf(commandArguments, context, options);
    const approvals = await openApprovals(commandArguments, options, {
      progressStream: context.progressStream,
      progress,
    });
    if (!approvals.ok) {
      await progress?.finish('failed');
      return reportEnvelope(failureEnvelope('run', context.runRef, approvals.diagnostic), { hint: approvals.hint });
    }
    const telemetry = telemetryOf(context.variables);
    const reporter = await reporterOf(context.variables, {
      runId: context.runRef,
      label: basename(options.document),
      now: () => options.clock.monotonic(),
      warn: () => {
        writeOver(
          context.progressStream(),
          'warning: the viewer that SVC_VIEWER_URL names does not take frames of this run\n',
        );
      },
    });
    const observers = [progress, telemetry, reporter].flatMap((heard) => (heard === null ? [] : [heard.observer]));
    const asking = { ...options, approvals: approvals.run };
    const report = await run(observers.length === 0 ? asking : { ...asking, observer: combineObservers(observers) });
    approvals.close();
    await progress?.finish(report.envelope.status === 'ok' ? 'completed' : 'failed');
    await telemetry?.finish(context.runRef);
    await reporter?.finish(report.envelope.status === 'ok');
    if (report.unexpected !== null) await context.reportBug(report.unexpected);
    // A project's own copy that failed counts like the one that was asked for.
    if (report.projectEnvelope === 'failed') return { kind: 'envelope_lost' };
    const { status } = report.envelope;
    const isCallsFailure = endedByCall(report);
    return reportEnvelope(report.envelope, {
      ...report.advice,
      // A workflow that fails with words of its own does not mention the calls that failed before (world.md §1.5).
      provider: report.advice.provider ?? (status === 'error' && !isCallsFailure ? report.lastWords : null),
      notes: [
        ...report.interrupted.map(interruptedLine),
        ...report.misses.map(missedLine),
        ...(isCallsFailure ? [] : report.failedCalls.map((calls) => failedCallsLine(calls, status))),
        ...(report.eventLoss === null ? [] : [lostEventsLine(report.eventLoss)]),
      ],
      inputName: options.input !== null && 'stream' in options.input ? options.input.stream.name : null,
    });
  };

/** One that throws keeps the others from nothing. */
function combineObservers(observers: readonly RunObserver[]): RunObserver {
  const guarded = observers.map(guardedObserver);
  return {
    started: (limits, remainingMs, entry) => {
      for (const observer of guarded) observer.started(limits, remainingMs, entry);
    },
    event: (event) => {
      for (const observer of guarded) observer.event(event);
    },
    program: (program) => {
      for (const observer of guarded) observer.program?.(program);
    },
    heap: (heap) => {
      for (const observer of guarded) observer.heap?.(heap);
    },
  };
}

async function runOptions(
  commandArguments: CommandArguments,
  context: CommandContext,
  built: InputStream | null,
): Promise<RunOptions> {
  return {
    ...(await openDocumentServices(context)),
    publication: publicationTools(),
    onEvaluated: context.releaseSandbox,
    runRef: context.runRef,
    document: requiredArgument(commandArguments),
    ...approvalOf(commandArguments),
    hostConfig: optionValue(commandArguments, '--host-config') ?? null,
    input: built === null ? alternateInput(commandArguments, context) : { stream: built, dataClass: 'normal' },
    override: optionValue(commandArguments, '--component-override-descriptor') ?? null,
    environmentFile: optionValue(commandArguments, '--env-file') ?? null,
    authorize: commandArguments.options.get('--authorize-mcp') ?? [],
    grants: userGrantUse(context.variables),
    notifyAuthorization: (url) => {
      writeOver(context.progressStream(), `to authorize, open ${visibleText(url)}\n`);
    },
    destinations: {
      traceDirectory: optionValue(commandArguments, '--trace-dir') ?? null,
      inspection: optionValue(commandArguments, '--inspect') ?? null,
      output: optionValue(commandArguments, '--output') ?? null,
      privateOutput: optionValue(commandArguments, '--private-output') ?? null,
    },
  };
}

function approvalOf(commandArguments: CommandArguments): Pick<RunOptions, 'approval'> {
  const word = APPROVAL_WORDS.find((one) => one === optionValue(commandArguments, '--approval'));
  return word === undefined ? {} : { approval: word };
}

/** As typed: a name of the application's own directory is tried before the path (cli.md §10). */
function alternateInput(
  commandArguments: CommandArguments,
  { standardInput: open, signal }: CommandContext,
): RunOptions['input'] {
  const normal = optionValue(commandArguments, '--input');
  const path = normal ?? optionValue(commandArguments, '--private-input');
  if (path === undefined) return null;
  const dataClass = normal === undefined ? 'private' : 'normal';
  return path === STANDARD_INPUT ? { stream: standardInput(open, signal), dataClass } : { path, dataClass };
}

/** first-day.md §1, progress: a terminal has one live line unless `--quiet`; lines and frames are asked for. */
function progressOf(
  commandArguments: CommandArguments,
  { variables, progressStream }: Pick<CommandContext, 'variables' | 'progressStream'>,
  { document, clock }: Pick<RunOptions, 'document' | 'clock'>,
): Progress | null {
  // Who sets the variable wants the frames, with or without the option.
  const isJson = variables['SVC_PROGRESS'] === 'jsonl';
  const isAsked = isJson || commandArguments.options.has('--progress');
  if (!isAsked && commandArguments.options.has('--quiet')) return null;
  const stream = progressStream();
  if (!isAsked && (!stream.isTerminal || variables['TERM'] === 'dumb')) return null;
  return startProgress({ stream, document, now: () => clock.monotonic(), isJson, isTransient: !isAsked });
}
