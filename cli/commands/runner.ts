import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { stopOf } from '../../contract/stop-signals.ts';
import { isStatus } from '../declaration/commands/runner.ts';
import { optionValue } from '../declaration/argument-values.ts';
import type { CommandArguments, OptionName } from '../declaration/types.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { writeStream } from '../process/output.ts';
import { statusJson, statusText } from '../streams/runner-status.ts';
import type { Command } from './command.ts';

const SLOTS = 8;
const GRACE_MS = 10_000;
const KEEP_DAYS = 30;

/**
 * Serves runs from a database until it is stopped (gateway.md §19). What it needs for that is brought in here and
 * nowhere else.
 */
export const runnerCommand: Command = async (
  commandArguments,
  { variables, workingDirectory, programDirectory, signal },
) => {
  if (isStatus(commandArguments)) return printStatus(commandArguments);
  const { serveRuns } = await import('../../supervisor/api/runner.ts');
  const end = await serveRuns({
    programDirectory,
    workingDirectory,
    variables,
    signal,
    document: commandArguments.positionals[0] ?? '',
    hostConfig: optionValue(commandArguments, '--host-config') ?? null,
    databaseUrl: optionValue(commandArguments, '--database') ?? '',
    artifactStore: optionValue(commandArguments, '--artifact-store') ?? null,
    tenantStore: optionValue(commandArguments, '--tenant-store') ?? null,
    sharedSecrets: commandArguments.options.has('--shared-secrets'),
    slots: Number(optionValue(commandArguments, '--slots') ?? SLOTS),
    graceMs: Number(optionValue(commandArguments, '--grace-ms') ?? GRACE_MS),
    metricsPort: numberOf(commandArguments, '--metrics'),
    retention: {
      keepDays: numberOf(commandArguments, '--keep-days') ?? KEEP_DAYS,
      keepBytes: numberOf(commandArguments, '--keep-bytes'),
    },
    onReady: async (contentDigest, port) =>
      void (await writeStream(
        2,
        `runner: takes runs of ${contentDigest}${port === null ? '' : `; figures at http://127.0.0.1:${port}/metrics`}\n`,
      )),
  });
  switch (end.ended) {
    case 'stopped': {
      const stop = stopOf(signal);
      return {
        kind: 'conversed',
        outcome: stop === null || end.forced === 0 ? { outcome: 'succeeded' } : { outcome: 'stopped', stop },
      };
    }
    case 'listener_unavailable':
      return {
        kind: 'failed',
        diagnostic: diagnostic('internal_error', { cause: 'resource_unavailable' }),
        hint: 'the port of --metrics is taken; 0 takes any that is free',
      };
    case 'refused':
      return { kind: 'failed', diagnostic: end.diagnostic, hint: null };
    case 'database_unavailable':
      return {
        kind: 'failed',
        diagnostic: diagnostic('internal_error', { cause: 'resource_unavailable' }),
        hint: 'the database of --database cannot be reached, or its tables cannot be made',
      };
    case 'store_unusable':
      return {
        kind: 'failed',
        diagnostic: diagnostic('internal_error', { cause: 'resource_unavailable' }),
        hint: '--artifact-store takes a directory that can be made, or https://host/bucket with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment',
      };
    case 'tenant_store_unusable':
      return {
        kind: 'failed',
        diagnostic: diagnostic('internal_error', { cause: 'resource_unavailable' }),
        hint: '--tenant-store takes a directory that exists',
      };
  }
};

function numberOf(commandArguments: CommandArguments, option: OptionName): number | null {
  const value = optionValue(commandArguments, option);
  return value === undefined ? null : Number(value);
}

/** `svc runner status`: what waits, goes on and is kept, and who takes it. */
async function printStatus(commandArguments: CommandArguments): Promise<CommandEnd> {
  const { readRunnerStatus } = await import('../../supervisor/api/runner.ts');
  const found = await readRunnerStatus(optionValue(commandArguments, '--database') ?? '');
  if (found === null)
    return {
      kind: 'failed',
      diagnostic: diagnostic('internal_error', { cause: 'resource_unavailable' }),
      hint: 'the database of --database cannot be reached, or no runner has made its tables',
    };
  return {
    kind: 'text',
    text: optionValue(commandArguments, '--format') === 'json' ? `${statusJson(found)}\n` : statusText(found),
  };
}
