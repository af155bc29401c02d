import { readdir, readFile, readlink } from 'node:fs/promises';
import { until } from './until.ts';

/** Process ids, living or not yet reaped, whose command line holds the text. */
export async function processesNaming(text: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const command = await commandLine(name);
    if (command.includes(text)) found.push(Number(name));
  }
  return found;
}

/**
 * Empty for a process that has none, or is gone. One that is just becoming another program shows none for a moment:
 * that is waited for.
 */
async function commandLine(pid: string): Promise<string> {
  for (let look = 0; look < LOOKS_MOST; look += 1) {
    const command = await readUnlessMissing(`/proc/${pid}/cmdline`);
    if (command !== '') return command;
    const stat = await readUnlessMissing(`/proc/${pid}/stat`);
    const [state = 'Z', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X' || KERNEL_PARENTS.has(parent)) return '';
  }
  return '';
}

const LOOKS_MOST = 10_000;

/** Whose children are no programs. */
const KERNEL_PARENTS: ReadonlySet<string> = new Set(['0', '2']);

/** Waits until the process of one host is gone. */
export async function processEnded(pid: number | undefined, text: string): Promise<void> {
  if (pid === undefined) return;
  await until(`the end of process ${pid}`, async () =>
    (await processesNaming(text)).includes(pid) ? undefined : true,
  );
}

/** Waits until no process has this text in its command line. */
export async function noProcessNames(text: string): Promise<void> {
  await until('the end of every process of a sandbox', async () =>
    (await processesNaming(text)).length > 0 ? undefined : true,
  );
}

/** Local addresses, as the kernel writes them, of the TCP sockets on which a process listens. */
export async function listening(pid: number): Promise<readonly string[]> {
  const links = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
  );
  const own = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readUnlessMissing(`/proc/${pid}/net/${name}`)));
  const rows = tables.flatMap((table) =>
    table
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/)),
  );
  return rows
    .filter(([, , , state, , , , , , inode = '']) => state === LISTEN && own.has(inode))
    .map(([, local = '']) => local);
}

/** State of a socket that waits for connections, as `/proc/<pid>/net/tcp` writes it. */
const LISTEN = '0A';

async function readUnlessMissing(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      (error.code === 'ENOENT' || error.code === 'ESRCH' || error.code === 'EACCES')
    )
      return '';
    throw error;
  }
}
