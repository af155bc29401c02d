import type { Success } from '../../../contract/outcome.ts';
import { realpath } from 'node:fs/promises';
import type { EvidenceFiles } from '../../history/analysis/files/evidence-files.ts';
import { findConflict, type NamedDirectory } from '../../history/transcript/separation.ts';
import type { ResourceDirectories } from './capture.ts';
import type { Profile } from './contract.ts';
import { setupRefusal, type SetupRefusal } from './refusal.ts';

/** All directories of an analysis session; paths are absolute. */
export interface PlacesRequest {
  readonly profile: Profile;
  /** By name of the resource, as the command line says. */
  readonly named: ReadonlyMap<string, string>;
  /** The artifact root that has the others; null without a project, or where it keeps none. */
  readonly root: string | null;
  /** Directory of the value; null for none. */
  readonly output: string | null;
  readonly trace: { readonly directory: string; readonly isAutomatic: boolean };
}

export type PlacesAnswer = Success<ResourceDirectories> | SetupRefusal;

/** Finds the directory of each resource, and that all directories of the session are apart (cli.md §11). */
export async function findDirectories(files: EvidenceFiles, request: PlacesRequest): Promise<PlacesAnswer> {
  const { profile, named, root, output, trace } = request;
  const names = profile.resources.map(({ name }) => name);
  if ([...named.keys()].some((name) => !names.some((known) => known === name))) {
    return setupRefusal(
      'profile_setup_failed',
      '--resource names what this profile does not read',
      `resources of this profile: ${names.join(', ')}`,
    );
  }
  const found = new Map<string, string>();
  for (const name of names) {
    const path = named.get(name) ?? (root === null ? null : `${root}/${name}`);
    if (path === null)
      return setupRefusal(
        'profile_setup_failed',
        'a resource of the profile is not named',
        `add --resource ${name}=DIRECTORY, or --project with artifacts`,
      );
    const directory = await resolveDirectoryAt(files, path);
    if (directory === null)
      return setupRefusal(
        'source_unavailable',
        'a resource is no directory that can be read',
        `the directory of ${name} must exist`,
      );
    found.set(name, directory);
  }
  const conflict = await findConflict(
    files,
    await findExisting(files, [
      ...[...found].map(([name, path]) => ({ option: `resource.${name}`, path })),
      { option: trace.isAutomatic ? 'session_trace_auto' : 'session_trace', path: trace.directory },
      ...(output === null ? [] : [{ option: profile.isPrivate ? 'private_output' : 'output', path: output }]),
    ]),
  );
  if (conflict === null) return { ok: true, value: found };
  return {
    ...setupRefusal(
      'profile_setup_failed',
      'two directories of the session are not apart',
      'resources, session trace and value each need a directory of their own, none inside another',
    ),
    conflict,
  };
}

/** Those that are not there are refused where they are opened. */
async function findExisting(
  files: EvidenceFiles,
  directories: readonly NamedDirectory[],
): Promise<readonly NamedDirectory[]> {
  const found = await Promise.all(
    directories.map(async ({ option, path }) => ({ option, path: await resolveDirectoryAt(files, path) })),
  );
  return found.flatMap(({ option, path }) => (path === null ? [] : [{ option, path }]));
}

/** Without links on the way; null where there is no directory. */
async function resolveDirectoryAt(files: EvidenceFiles, path: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  return real !== null && (await files.facts(real))?.kind === 'directory' ? real : null;
}
