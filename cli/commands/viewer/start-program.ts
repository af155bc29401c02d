import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startedChild } from '../../../system/started-child.ts';
import type { StartProgram } from '../../../supervisor/api/viewer.ts';
import type { CommandContext } from '../command.ts';

/** How long a run has to end after it was asked to. */
const PATIENCE_MS = 10_000;

/** Starts this very program once more, as a process of its own: what a run takes or breaks is not the viewer's. */
export function startProgram(
  { workingDirectory, variables }: Pick<CommandContext, 'workingDirectory' | 'variables'>,
  viewer: { readonly url: string; readonly token: string | null },
): StartProgram {
  const { SVC_VIEWER_TOKEN: _, ...others } = variables;
  const env = {
    ...others,
    SVC_VIEWER_URL: viewer.url,
    ...(viewer.token === null ? {} : { SVC_VIEWER_TOKEN: viewer.token }),
  };
  return (argv, input, onOutput) => {
    const child = startedChild((only) =>
      spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...argv], {
        cwd: workingDirectory,
        env,
        stdio: only(['pipe', 'pipe', 'pipe']),
      }),
    );
    if (child === null) return { ended: Promise.resolve(false), stop: () => undefined };
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    // One that reads no input may be gone before it is written.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    return {
      ended: once(child, 'close').then(
        ([status]) => status === 0,
        () => false,
      ),
      stop: () => {
        child.kill('SIGTERM');
        setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS).unref();
      },
    };
  };
}
