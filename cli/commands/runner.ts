import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { stopOf } from '../../contract/stop-signals.ts';
import { optionValue } from '../declaration/given.ts';
import { writeStream } from '../process/output.ts';
import type { Command } from './command.ts';

const SLOTS = 8;
const GRACE_MS = 10_000;

/** Serves runs from a database until it is stopped (gateway.md §19). What it needs for that is brought in here and nowhere else. */
export const runnerCommand: Command = async (given, { variables, workingDirectory, programDirectory, signal }) => {
  const { serveRuns } = await import('../../supervisor/api/runner.ts');
  const end = await serveRuns({
    programDirectory,
    workingDirectory,
    variables,
    signal,
    document: given.positionals[0] ?? '',
    hostConfig: optionValue(given, '--host-config') ?? null,
    databaseUrl: optionValue(given, '--database') ?? '',
    artifactStore: optionValue(given, '--artifact-store') ?? null,
    tenantStore: optionValue(given, '--tenant-store') ?? null,
    sharedSecrets: given.options.has('--shared-secrets'),
    slots: Number(optionValue(given, '--slots') ?? SLOTS),
    graceMs: Number(optionValue(given, '--grace-ms') ?? GRACE_MS),
    onReady: async (contentDigest) => void (await writeStream(2, `runner: takes runs of ${contentDigest}\n`)),
  });
  switch (end.ended) {
    case 'stopped': {
      const stop = stopOf(signal);
      return { kind: 'conversed', fate: stop === null ? { fate: 'succeeded' } : { fate: 'stopped', stop } };
    }
    case 'refused':
      return { kind: 'failed', diagnostic: end.diagnostic, hint: null };
    case 'database_unavailable':
      return { kind: 'failed', diagnostic: diagnostic('internal_error', { cause: 'resource_unavailable' }), hint: 'the database of --database cannot be reached, or does not let its tables be made' };
    case 'store_unusable':
      return { kind: 'failed', diagnostic: diagnostic('internal_error', { cause: 'resource_unavailable' }), hint: '--artifact-store takes a directory that can be made, or https://host/bucket with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment' };
    case 'tenant_store_unusable':
      return { kind: 'failed', diagnostic: diagnostic('internal_error', { cause: 'resource_unavailable' }), hint: '--tenant-store takes a directory that is there' };
  }
};
