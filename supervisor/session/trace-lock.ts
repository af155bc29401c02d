import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 25;

/** Releases the lock for others. */
export type Release = () => Promise<void>;

/**
 * Waits until nobody of this user and machine holds a name, and holds it. A name is a socket that listens: the system
 * frees it with anyone who dies. Null: it was not free within the time (evidence.md §5).
 */
export async function holdName(name: string, patienceMs: number): Promise<Release | null> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const acquired = await tryToHold(name);
    if (acquired !== null) return acquired;
    if (performance.now() >= until) return null;
    await sleep(RETRY_MS);
  }
}

async function tryToHold(name: string): Promise<Release | null> {
  const path = await resolvePath(name);
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen({ path, exclusive: true });
    await once(server, 'listening');
  } catch {
    if (process.platform !== 'linux' && !(await isListening(path))) await rm(path, { force: true });
    return null;
  }
  server.unref();
  return async () => {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  };
}

/** Linux has names for sockets that are no files; elsewhere they lie in a directory that is the user's alone. */
async function resolvePath(name: string): Promise<string> {
  // A user without a name, as containers have them, has a number all the same.
  const uid = process.getuid?.() ?? 0;
  if (process.platform === 'linux') return `\0svc-trace-${uid}-${name}`;
  const directory = join(tmpdir(), `svc-locks-${uid}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return join(directory, name.slice(0, 32));
}

async function isListening(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
