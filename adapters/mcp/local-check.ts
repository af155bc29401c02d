import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { LocalCode, LocalFinding, LocallyChecked } from '../../contract/provider-protocol/checks.ts';
import type { Measured } from '../threads/measured.ts';
import type { TaskEnd } from '../threads/task-pool.ts';
import type { FoundPrograms, StdioDeclaration } from './declaration.ts';
import { LAUNCHER_BYTES, EXECUTABLE_BYTES, type Executable, type ExecutableLookup } from './stdio/executable.ts';
import type { ServerWorkers } from './workers.ts';

export type LocalAnswer = (
  | { readonly ok: true; readonly programs: FoundPrograms }
  | { readonly ok: false; readonly finding: LocalFinding }
) &
  Pick<LocallyChecked, 'processorMs'>;

/** Systems on which a server can be ended with everything that it started. */
const PLATFORMS: ReadonlySet<NodeJS.Platform> = new Set(['linux', 'darwin']);

/** Finds the programs of a server, its directory and its environment, and starts nothing (providers.md §3, table A). */
export async function checkStdio(
  workers: Pick<ServerWorkers, 'executable'>,
  declaration: StdioDeclaration,
  signal: AbortSignal,
): Promise<LocalAnswer> {
  const { command, launcher, directory, inherited } = declaration;
  if (!PLATFORMS.has(process.platform)) return failed('launcher_unavailable', null);
  if (inherited === null) return failed('environment_unavailable', 'an inherited variable is no plain text');
  if (!(await isDirectory(directory)))
    return failed('environment_unavailable', 'the working directory of the command is not there');
  const [found, launched] = await Promise.all([
    workers.executable(command, inherited['PATH'] ?? null, EXECUTABLE_BYTES, signal),
    launcher === null ? null : workers.executable(launcher, null, LAUNCHER_BYTES, signal),
  ]);
  const processorMs = processorMsOf(found) + (launched === null ? 0 : processorMsOf(launched));
  const program = executableOf(found);
  const target = describeSearch(command, inherited['PATH'] ?? null);
  if (program === 'not_found') return failed('command_not_found', null, { processorMs, search: target });
  if (program === 'unusable')
    return failed(
      'executable_unavailable',
      'the command must be an absolute path, or a bare name on PATH, of a program that can be read',
      { processorMs, search: target },
    );
  const starter = launched === null ? null : executableOf(launched);
  if (starter === 'not_found' || starter === 'unusable') return failed('launcher_unavailable', null, { processorMs });
  return { ok: true, programs: { command: program, launcher: starter }, processorMs };
}

function executableOf(end: TaskEnd<Measured<ExecutableLookup>>): Executable | 'not_found' | 'unusable' {
  if (end.kind !== 'done') return 'unusable';
  const { result } = end.value;
  return result.ok ? result.executable : result.fault;
}

function processorMsOf(end: TaskEnd<Measured<ExecutableLookup>>): number {
  return end.kind === 'done' ? end.value.processorMs : 0;
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Of a long path the beginning. */
const TARGET_LENGTH_MAX = 2048;

function describeSearch(command: string, path: string | null): string {
  if (isAbsolute(command)) return `looked for ${command}`;
  const folders = (path ?? '').split(':').filter((folder) => folder !== '');
  const where = folders.length === 0 ? 'nowhere: it has no PATH' : `in the folders of PATH: ${folders.join(', ')}`;
  return Array.from(`looked for ${command} ${where}`).slice(0, TARGET_LENGTH_MAX).join('');
}

function failed(
  code: LocalCode,
  hint: string | null,
  { processorMs = 0, search }: { readonly processorMs?: number; readonly search?: string } = {},
): LocalAnswer {
  return { ok: false, finding: { code, hint, ...(search === undefined ? {} : { search }) }, processorMs };
}
