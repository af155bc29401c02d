import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Tunnel } from './proxy.ts';

/** A proxy in a process of its own. */
export interface ProxyProcess {
  readonly url: string;
  /** What was asked for so far. */
  readonly tunnels: readonly Tunnel[];
  close(): Promise<void>;
}

/** `words`: those of `main.ts`. */
export async function startProxyProcess(...words: readonly string[]): Promise<ProxyProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const tunnels: Tunnel[] = [];
  const { promise: url, resolve } = Promise.withResolvers<string>();
  createInterface(child.stdout).on('line', (line) => {
    if (line.startsWith('{')) tunnels.push(JSON.parse(line));
    else resolve(line);
  });
  return {
    url: await url,
    tunnels,
    close: async () => {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
