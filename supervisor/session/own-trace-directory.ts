import { randomBytes } from 'node:crypto';
import { realpath, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { cacheFolder } from '../../system/configuration/cache-folder.ts';
import { loadConfiguration, type Variables } from '../../system/configuration/configuration.ts';
import { openCacheDirectory } from '../evidence/publication/cache-directory.ts';
import type { OpenDirectory } from '../evidence/publication/file-system.ts';
import type { ReservationTools } from '../evidence/publication/reservation.ts';
import { ownTracesName, sweepOwnTraces } from './profiles/own-traces.ts';

/** A directory that one analysis session has for its trace alone. */
export interface OwnTraceDirectory {
  /** Absolute. */
  readonly path: string;
  /** Removes it, unless there is a trace in it. */
  removeEmpty(): Promise<void>;
}

interface Root {
  readonly path: string;
  readonly directory: OpenDirectory;
}

/**
 * Makes the directory of a session that names none, below the cache folder (`svc/sessions`), or where there is no such
 * folder in that of temporary files. What earlier sessions left there is swept first.
 */
export async function makeOwnTraceDirectory(tools: ReservationTools, variables: Variables): Promise<OwnTraceDirectory> {
  const { path: root, directory } = (await openCache(tools, variables)) ?? (await openTemporary(tools));
  try {
    await sweepOwnTraces(tools, directory);
    const name = ownTracesName(randomBytes);
    const made = await directory.makeDirectory(name, 0o700);
    if (!made.ok) throw new Error(`no directory for the trace of a session can be made: ${made.errno}`);
    const path = `${root}/${name}`;
    return { path, removeEmpty: async () => rmdir(path).catch(() => undefined) };
  } finally {
    await directory.close();
  }
}

async function openCache({ fileSystem }: ReservationTools, variables: Variables): Promise<Root | null> {
  const loaded = await loadConfiguration(variables);
  const base = loaded.ok ? cacheFolder(loaded.configuration, variables) : null;
  if (base === null) return null;
  const directory = await openCacheDirectory({ fileSystem, base }, true, 'sessions');
  return directory === null ? null : { path: `${await realpath(base)}/svc/sessions`, directory };
}

async function openTemporary({ fileSystem }: ReservationTools): Promise<Root> {
  const path = await realpath(tmpdir());
  const opened = await fileSystem.openDirectory(path);
  if (!opened.ok) throw new Error(`the directory of temporary files cannot be opened: ${opened.errno}`);
  return { path, directory: opened.value };
}
