import { diagnostic, exitStatus } from '../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../contract/diagnostics/diagnostic.ts';
import { commandSuccess } from '../contract/envelope/build.ts';
import { envelopeText } from '../contract/envelope/text.ts';
import type { Envelope } from '../contract/envelope/types.ts';
import type { CommandContext, CommandOutcome, ToldOutcome } from './commands/command.ts';
import { failureEnvelope } from './commands/failure.ts';
import type { LoadCommand } from './commands/load.ts';
import { optionValue } from './declaration/given.ts';
import { helpResult } from './declaration/help-results.ts';
import { COMMANDS } from './declaration/table.ts';
import type { CommandName, GivenArguments } from './declaration/types.ts';
import { admitEnvelope } from './envelope-file/admission.ts';
import type { EnvelopeFiles } from './envelope-file/admission.ts';
import { otherDestinations } from './envelope-file/destinations.ts';
import { argumentDiagnostic } from './parser/diagnose.ts';
import type { Rejection } from './parser/fault.ts';
import type { Invocation } from './parser/parse.ts';
import { rejectionOf } from './parser/parse.ts';
import { isConfigurationFault } from './process/early-sandbox.ts';
import type { WriteOutcome } from './process/output.ts';
import { SIGNAL_STATUS } from './process/signals.ts';
import type { StopSignal } from './process/signals.ts';
import { plainHelpText } from './streams/help-text.ts';
import { render } from './streams/render.ts';
import { unpublishedEnvelopeLine } from './streams/failure-line.ts';
import type { Styling } from './streams/styling.ts';

export interface ProgramServices {
  readonly context: CommandContext;
  readonly loadCommand: LoadCommand;
  readonly envelopeFiles: () => Promise<EnvelopeFiles>;
  readonly write: (descriptor: 1 | 2, text: string) => Promise<WriteOutcome>;
  readonly styling: { readonly stdout: Styling; readonly stderr: Styling };
  /** Whether stdout carries the envelope. */
  readonly json: boolean;
  /** The signal that asked the command to stop, if one did. */
  readonly stopSignal: () => StopSignal | null;
  /** Ends what the command left running; before the envelope is published (cli.md §3, "When"). */
  readonly cleanUp: () => Promise<void>;
}

/** Exit statuses that no diagnostic decides (cli.md §5). */
const ENVELOPE_UNPUBLISHED = 74;
const OUTPUT_PIPE_CLOSED = 141;
const OUTPUT_FAILED = 70;

/**
 * Carries out one invocation, from admission of its envelope file to its streams, and gives the exit status. A bug in
 * this very work is still told as `internal_error` of the command (runtime.md §1).
 */
export async function runProgram(invocation: Invocation, services: ProgramServices): Promise<number> {
  try {
    return await carryOut(invocation, services);
  } catch (error) {
    await services.context.reportBug(error);
    const bug = diagnostic('internal_error', { cause: 'unexpected_exception' });
    const outcome: CommandOutcome = invocation.kind === 'command' ? failed(invocation.name, bug, services, null)
      : { kind: 'envelope', envelope: failureEnvelope('unknown', services.context.runRef, bug), hint: null };
    return conclude(services, outcome, null);
  }
}

async function carryOut(invocation: Invocation, services: ProgramServices): Promise<number> {
  const { runRef } = services.context;
  switch (invocation.kind) {
    case 'rejected':
      return conclude(services, rejectedOutcome(invocation.rejection, services), null);
    case 'help':
      return conclude(services, succeeded(commandSuccess('help', runRef, helpResult(invocation.topic))), null);
    case 'plain-help':
      return concludePlainHelp(invocation.name, services);
    case 'version-switch':
      return conclude(services, await performed('version', { positionals: [], options: new Map() }, services), null);
    case 'command':
      return runCommand(invocation.name, invocation.given, services);
  }
}

async function runCommand(name: CommandName, given: GivenArguments, services: ProgramServices): Promise<number> {
  const { runRef } = services.context;
  const path = optionValue(given, '--envelope') ?? null;
  if (path !== null) {
    const admission = await admitEnvelope(await services.envelopeFiles(), path, otherDestinations(name, given, runRef));
    if (admission.kind === 'rejected') {
      const rejection = rejectionOf(name, admission.fault, admission.hint);
      return conclude(services, rejectedOutcome(rejection, services), null);
    }
    if (admission.kind === 'unavailable') {
      return conclude(services, failed(name, admission.diagnostic, services, null), null);
    }
  }
  return conclude(services, await performed(name, given, services), path, name);
}

/** A bug in a command is told like any failure, so that a requested envelope is still published. */
async function performed(name: CommandName, given: GivenArguments, services: ProgramServices): Promise<CommandOutcome> {
  try {
    const command = await services.loadCommand(name);
    return await command(given, services.context);
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

function rejectedOutcome({ command, fault, hint }: Rejection, { context }: ProgramServices): CommandOutcome {
  return { kind: 'envelope', envelope: failureEnvelope(command, context.runRef, argumentDiagnostic(fault)), hint };
}

function succeeded(envelope: Envelope): CommandOutcome {
  return { kind: 'envelope', envelope, hint: null };
}

function failed(name: CommandName, error: Diagnostic, { context }: ProgramServices, hint: string | null): CommandOutcome {
  const command = COMMANDS[name].envelope;
  if (command === null) return { kind: 'failure', diagnostic: error, hint };
  return { kind: 'envelope', envelope: failureEnvelope(command, context.runRef, error), hint };
}

/** Help of our own commands exists as text only (cli.md §6), so an envelope cannot hold it. */
async function concludePlainHelp(name: CommandName, services: ProgramServices): Promise<number> {
  if (services.json) {
    const rejection = rejectionOf(name, { kind: 'unfit' }, `the help of ${name} is text only; leave out --json`);
    return conclude(services, rejectedOutcome(rejection, services), null);
  }
  return statusOfOutput(await services.write(1, plainHelpText(COMMANDS[name], services.styling.stdout)), 0);
}

/** Publishes the envelope, then prints (cli.md §3, §4), then decides the status (cli.md §5). */
async function conclude(
  services: ProgramServices, outcome: CommandOutcome, path: string | null, name: CommandName | null = null,
): Promise<number> {
  const { context: { runRef }, styling, json } = services;
  // A project's own copy that failed counts like the one that was asked for.
  let isUnpublished = outcome.kind === 'envelope' && outcome.status === ENVELOPE_UNPUBLISHED;
  if (path !== null && outcome.kind === 'envelope' && outcome.isRejection !== true && !isUnpublished) {
    const bytes = new TextEncoder().encode(envelopeText(outcome.envelope));
    isUnpublished = !await (await services.envelopeFiles()).publish(path, bytes);
  }
  if (isUnpublished) {
    await services.write(2, `${unpublishedEnvelopeLine(runRef)}\n`);
    return ENVELOPE_UNPUBLISHED;
  }
  if (outcome.kind === 'session') return outcome.status;
  const rendering = render({ outcome, runRef, name, styling, json });
  if (rendering.stderr !== '') await services.write(2, rendering.stderr);
  const written = rendering.stdout === '' ? 'written' : await services.write(1, rendering.stdout);
  return statusOfOutput(written, statusOf(outcome, services.stopSignal()));
}

function statusOf(outcome: ToldOutcome, stopped: StopSignal | null): number {
  if (outcome.kind === 'envelope' && outcome.status !== undefined) return outcome.status;
  const error = outcome.kind === 'failure' ? outcome.diagnostic
    : outcome.envelope.status === 'error' ? outcome.envelope.error : null;
  if (error === null) return 0;
  return stopped !== null && error.code === 'internal_error' ? SIGNAL_STATUS[stopped] : exitStatus(error);
}

function statusOfOutput(written: WriteOutcome, status: number): number {
  if (written === 'pipe-closed') return OUTPUT_PIPE_CLOSED;
  return written === 'failed' && status === 0 ? OUTPUT_FAILED : status;
}
