import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandSuccess } from '../../contract/envelope/build.ts';
import type { VersionResult } from '../../contract/envelope/results.ts';
import { PROGRAM_FILES } from '../../system/program-files.ts';
import { reportEnvelope } from '../ending/command-end.ts';
import type { Command } from './command.ts';

const SEMANTIC_VERSION = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const REVISION = /^[0-9a-f]{40}$/;

/** cli.md §10. Facts that are absent or malformed are a broken build, so this throws for them. */
export const versionCommand: Command = async (commandArguments, { runRef, programDirectory }) =>
  reportEnvelope(commandSuccess('version', runRef, readBuildFacts(programDirectory)));

export function readBuildFacts(directory: string): VersionResult {
  const facts: unknown = JSON.parse(readFileSync(join(directory, PROGRAM_FILES.facts), 'utf8'));
  if (
    typeof facts !== 'object' ||
    facts === null ||
    !('version' in facts) ||
    !('source_revision' in facts) ||
    !('source_dirty' in facts)
  )
    throw new Error('the build facts are incomplete');
  const { version, source_revision: revision, source_dirty: dirty } = facts;
  if (typeof version !== 'string' || !SEMANTIC_VERSION.test(version)) throw new Error('the build has no version');
  if (typeof revision !== 'string' || !REVISION.test(revision)) throw new Error('the build has no source revision');
  if (typeof dirty !== 'boolean') throw new Error('the build does not say whether its source was clean');
  return { version, source_revision: revision, source_dirty: dirty };
}
