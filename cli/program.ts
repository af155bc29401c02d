import { diagnostic, type Diagnostic } from '../contract/diagnostics/diagnostic.ts';
import { commandSuccess } from '../contract/envelope/build.ts';
import { envelopeText } from '../contract/envelope/text.ts';
import { exitStatusOf, type CommandOutcome } from '../contract/exit-status.ts';
import type { StopSignal } from '../contract/stop-signals.ts';
import type { AdmittedFile, PublishedFiles } from '../supervisor/api/machine.ts';
import { isConfigurationFault } from '../system/configuration/fault.ts';
import type { CommandContext } from './commands/command.ts';
import type { LoadCommand } from './commands/load.ts';
import { optionValue } from './declaration/argument-values.ts';
import { helpResult } from './declaration/help-results.ts';
import { COMMANDS, type CommandName } from './declaration/table.ts';
import type { CommandArguments } from './declaration/types.ts';
import { reportEnvelope, type CommandEnd } from './ending/command-end.ts';
import { failureEnvelope } from './ending/failure-envelope.ts';
import { admitEnvelope } from './envelope-file/admission.ts';
import { otherDestinations } from './envelope-file/destinations.ts';
import { argumentDiagnostic } from './parser/diagnose.ts';
import type { Rejection } from './parser/fault.ts';
import { rejectionOf, type Invocation } from './parser/parse.ts';
import { lostOutput, type WriteOutcome } from './process/output.ts';
import { plainHelpText } from './streams/help-text.ts';
import { namedFiles } from './streams/named-files.ts';
import { render } from './streams/render.ts';
import { unwrittenOutputLine } from './streams/failure-line.ts';
import type { Styling } from './streams/styling.ts';

export interface ProgramServices {
  readonly context: CommandContext;
  readonly loadCommand: LoadCommand;
  readonly envelopeFiles: () => Promise<PublishedFiles>;
  readonly write: (descriptor: 1 | 2, text: string) => Promise<WriteOutcome>;
  /** Shows a page of the documentation to a person at a terminal. */
  readonly writePage: (text: string) => Promise<WriteOutcome>;
  readonly styling: { readonly stdout: Styling; readonly stderr: Styling };
  /** Whether stdout carries the envelope. */
  readonly json: boolean;
  /** The signal that asked the command to stop, if one did. */
  readonly stopSignal: () => StopSignal | null;
  /** Ends what the command left running; before the envelope is published (cli.md §3, "When"). */
  readonly cleanUp: () => Promise<void>;
}

/**
 * Carries out one invocation, from admission of its envelope file to its streams, and gives the exit status. A bug in
 * this very work is still reported as `internal_error` of the command (runtime.md §1).
 */
export async function runProgram(invocation: Invocation, services: ProgramServices): Promise<number> {
  try {
    return await carryOut(invocation, services);
  } catch (error) {
    await services.context.reportBug(error);
    const bug = diagnostic('internal_error', { cause: 'unexpected_exception' });
    const end =
      invocation.kind === 'command'
        ? failed(invocation.name, bug, services, null)
        : reportEnvelope(failureEnvelope('unknown', services.context.runRef, bug));
    return conclude(services, end, null);
  }
}

async function carryOut(invocation: Invocation, services: ProgramServices): Promise<number> {
  const { runRef } = services.context;
  switch (invocation.kind) {
    case 'rejected':
      return conclude(services, rejected(invocation.rejection, services), null);
    case 'help':
      return conclude(services, reportEnvelope(commandSuccess('help', runRef, helpResult(invocation.topic))), null);
    case 'plain-help':
      return conclude(services, plainHelp(invocation.name, services), null);
    case 'version-switch':
      return conclude(
        services,
        await performCommand('version', { positionals: [], options: new Map() }, services),
        null,
      );
    case 'command':
      // A person sees which document it was; a script reads of what it gets in the result alone.
      if (invocation.assumed !== undefined && services.styling.stderr.width !== null && !services.json)
        await services.write(2, `using ${invocation.assumed} of this directory\n`);
      return runCommand(invocation.name, invocation.args, services);
  }
}

async function runCommand(
  name: CommandName,
  commandArguments: CommandArguments,
  services: ProgramServices,
): Promise<number> {
  const { runRef } = services.context;
  const path = optionValue(commandArguments, '--envelope');
  let file: AdmittedFile | null = null;
  if (path !== undefined) {
    const admission = await admitEnvelope(
      await services.envelopeFiles(),
      path,
      otherDestinations(name, commandArguments, runRef),
    );
    if (admission.kind === 'rejected') {
      const rejection = rejectionOf(name, admission.fault, admission.hint);
      return conclude(services, rejected(rejection, services), null);
    }
    if (admission.kind === 'unavailable') {
      return conclude(services, failed(name, admission.diagnostic, services, admission.hint), null);
    }
    file = admission.file;
  }
  return conclude(services, await performCommand(name, commandArguments, services), file, {
    name,
    args: commandArguments,
  });
}

/** A bug in a command is reported like any failure, so that a requested envelope is still published. */
async function performCommand(
  name: CommandName,
  commandArguments: CommandArguments,
  services: ProgramServices,
): Promise<CommandEnd> {
  try {
    const command = await services.loadCommand(name);
    return await command(commandArguments, services.context);
  } catch (error) {
    if (isConfigurationFault(error)) {
      return failed(name, diagnostic('internal_error', { cause: 'invalid_configuration' }), services, error.message);
    }
    await services.context.reportBug(error);
    return failed(name, diagnostic('internal_error', { cause: 'unexpected_exception' }), services, null);
  } finally {
    await services.cleanUp();
  }
}

function rejected({ command, fault, hint }: Rejection, { context }: ProgramServices): CommandEnd {
  return { kind: 'rejected', envelope: failureEnvelope(command, context.runRef, argumentDiagnostic(fault)), hint };
}

function failed(name: CommandName, error: Diagnostic, { context }: ProgramServices, hint: string | null): CommandEnd {
  const command = COMMANDS[name].envelope;
  if (command === null) return { kind: 'failed', diagnostic: error, hint };
  return reportEnvelope(failureEnvelope(command, context.runRef, error), { hint });
}

/** Help of our own commands exists as text only (cli.md §6), so an envelope cannot hold it. */
function plainHelp(name: CommandName, services: ProgramServices): CommandEnd {
  if (!services.json) return { kind: 'text', text: plainHelpText(COMMANDS[name], services.styling.stdout) };
  return rejected(rejectionOf(name, { kind: 'unfit' }, `the help of ${name} is text only; leave out --json`), services);
}

/** A command whose arguments were right. */
interface PerformedCommand {
  readonly name: CommandName;
  readonly args: CommandArguments;
}

/** Publishes the envelope, then prints (cli.md §3, §4), then decides the status (cli.md §5). */
async function conclude(
  services: ProgramServices,
  ended: CommandEnd,
  file: AdmittedFile | null,
  command: PerformedCommand | null = null,
): Promise<number> {
  const {
    context: { runRef, workingDirectory },
    styling,
    json,
    write,
    writePage,
  } = services;
  const end = file === null ? ended : await publishEnvelope(ended, file);
  const { stdout, stderr } = render({
    end,
    runRef,
    name: command?.name ?? null,
    styling,
    json,
    ...(command === null ? {} : { named: namedFiles(command.args, workingDirectory) }),
  });
  if (stderr !== '') await write(2, stderr);
  const isPage = !json && styling.stdout.width !== null && isPageEnd(end);
  const written = stdout === '' ? 'written' : isPage ? await writePage(stdout) : await write(1, stdout);
  if (written === 'failed') await write(2, `${unwrittenOutputLine(runRef)}\n`);
  return exitStatusOf(written === 'written' ? outcomeOf(end, services.stopSignal()) : lostOutput(written));
}

/** Whether the end is a page of the documentation. */
function isPageEnd(end: CommandEnd): boolean {
  if (end.kind === 'text') return end.isPage === true;
  return (
    end.kind === 'told' &&
    'result' in end.envelope &&
    end.envelope.command === 'docs' &&
    'content' in end.envelope.result
  );
}

/** The end of a command whose envelope was to be published. */
async function publishEnvelope(end: CommandEnd, file: AdmittedFile): Promise<CommandEnd> {
  if (end.kind !== 'told') return end;
  return (await file.publish(new TextEncoder().encode(envelopeText(end.envelope)))) ? end : { kind: 'envelope_lost' };
}

function outcomeOf(end: CommandEnd, stop: StopSignal | null): CommandOutcome {
  switch (end.kind) {
    case 'told':
    case 'rejected':
      return end.envelope.status === 'ok'
        ? { outcome: 'succeeded' }
        : { outcome: 'failed', error: end.envelope.error, stop };
    case 'failed':
      return { outcome: 'failed', error: end.diagnostic, stop };
    case 'envelope_lost':
      return { outcome: 'envelope_lost' };
    case 'text':
    case 'result':
      return { outcome: 'succeeded' };
    case 'conversed':
      return end.outcome;
  }
}
