import { stopOf } from '../../../contract/stop-signals.ts';
import type { CommandOutcome } from '../../../contract/exit-status.ts';
import type { Session } from '../../../supervisor/api/sessions.ts';
import { lostOutput, writeStream } from '../../process/output.ts';
import type { CommandContext } from '../command.ts';
import { nreplOperations } from './nrepl/operations.ts';
import { serveNrepl } from './nrepl/server.ts';

export interface NreplOptions {
  readonly port: number;
  /** The first session, which is open: it shows that there can be one. */
  readonly first: Session;
  /** Opens another; what is wrong where there can be none. */
  readonly open: () => Promise<Session | { readonly refusal: string }>;
  readonly version: string;
}

/** Serves editors until the command is asked to stop (first-day.md §6). */
export async function serveEditors(
  { port, first, open, version }: NreplOptions,
  { signal, runRef, reportBug }: Pick<CommandContext, 'signal' | 'runRef' | 'reportBug'>,
): Promise<CommandOutcome> {
  let spare: Session | null = first;
  const operations = nreplOperations({
    version,
    openSession: async () => {
      const session = spare;
      spare = null;
      return session ?? (await open());
    },
  });
  const server = await serveNrepl({ port, operations, reportBug });
  if (server === null) {
    await first.close();
    await writeStream(
      2,
      `error: repl/nrepl_port_in_use: port ${port} of 127.0.0.1 cannot be listened on (run_ref: ${runRef})\n`,
    );
    return { outcome: 'conversation_failed' };
  }
  // The line that editors look for in what a server prints.
  const written = await writeStream(
    1,
    `nREPL server started on port ${server.port} on host 127.0.0.1 - nrepl://127.0.0.1:${server.port}\n`,
  );
  if (written === 'written') {
    await writeStream(2, 'whatever connects on this machine may evaluate here; Ctrl-C stops\n');
    await untilAborted(signal);
  }
  await server.close();
  if (spare !== null) await first.close();
  if (written !== 'written') return lostOutput(written);
  const stop = stopOf(signal);
  return stop === null ? { outcome: 'succeeded' } : { outcome: 'stopped', stop };
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
