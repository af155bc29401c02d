import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { signalAll, workingIn } from '../cli/descendants.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { listen } from '../servers/http/listen.ts';
import { until } from '../until.ts';

type Server = ChildProcessByStdio<null, Readable, Readable>;

/** A public server as somebody starts it for HTTP. */
export interface HttpServer {
  readonly args: (port: number) => readonly string[];
  /** What it writes once it listens. */
  readonly isReady: RegExp;
}

/** A server that listens at a free port, which its environment names too, while the work lasts. */
export async function overHttp(
  { args, isReady }: HttpServer,
  work: (endpoint: string, said: () => string) => Promise<void>,
): Promise<void> {
  const { port, close } = await listen({}, async () => undefined);
  await close();
  const directory = makeWorkDirectory({});
  const server: Server = spawn(process.execPath, [...args(port)], {
    cwd: directory,
    env: { ...process.env, PORT: String(port), HOME: directory, TMPDIR: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  try {
    await until('the server', () => (isReady.test(said) ? true : undefined));
    await work(`http://127.0.0.1:${port}/mcp`, () => said);
  } finally {
    // It is nobody's child but ours: what it started is ours to end.
    await until('the end of the server', () => {
      const living = workingIn(directory);
      signalAll(living, 'SIGKILL');
      return living.length === 0 ? true : undefined;
    });
    removeWorkDirectory(directory);
  }
}
