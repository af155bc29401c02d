import { readdir, readFile } from 'node:fs/promises';

/** Process ids, living or not yet reaped, whose command line holds the text. */
export async function processesNaming(text: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const command = await readUnlessGone(`/proc/${name}/cmdline`);
    if (command.includes(text)) found.push(Number(name));
  }
  return found;
}

/** Waits until the process of one host is gone. Rejects never; the test's own limit ends it. */
export async function processGone(pid: number | undefined, text: string): Promise<void> {
  if (pid === undefined) return;
  while ((await processesNaming(text)).includes(pid)) await pause();
}

/** Waits until no process has this text in its command line. Rejects never; the test's own limit ends it. */
export async function noProcessNames(text: string): Promise<void> {
  while ((await processesNaming(text)).length > 0) {
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => { setTimeout(resolve, 10); });
}

async function readUnlessGone(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH' || error.code === 'EACCES')) return '';
    throw error;
  }
}
