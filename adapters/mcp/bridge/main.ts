/**
 * `svc-mcp-bridge COMMAND [ARGS…]` or `svc-mcp-bridge URL`: a server of tools over the standard streams, at the one
 * revision that svc speaks, in front of one that speaks an earlier revision. It starts COMMAND with its own
 * environment, in its own folder and its own process group, or asks at URL, hands lists and calls on as they are, and
 * offers the server nothing: no roots, no sampling, no questions to people.
 */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { bridge } from './bridge.ts';
import { isAddress, openOlderServer } from './older-server.ts';

const ARGUMENTS = 2;
const FAILED = 1;
const USAGE = 'usage: svc-mcp-bridge COMMAND [ARGS…] | URL';

function fail(status: number, message: string): never {
  process.stderr.write(`svc-mcp-bridge: ${message}\n`);
  process.exit(status);
}

async function main([command, ...args]: readonly string[]): Promise<void> {
  if (command === undefined) fail(ARGUMENTS, USAGE);
  if (isAddress(command) && args.length > 0) fail(ARGUMENTS, USAGE);
  const older = await openOlderServer(command, args).catch((error: unknown) =>
    fail(FAILED, `the server did not start: ${error instanceof Error ? error.message : 'unknown'}`),
  );
  let isEnding = false;

  /** Ends the server before itself, once. */
  async function end(status: number): Promise<void> {
    if (isEnding) return;
    isEnding = true;
    await older.close();
    process.exit(status);
  }

  older.onClose(() => void end(FAILED));
  serveStdio(() => bridge(older), { legacy: 'reject' });
  // Anyone who started it is gone, or wants its end.
  process.stdin.once('end', () => void end(0)).once('close', () => void end(0));
  process.stdout.once('error', () => void end(0));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => void end(0));
}

void main(process.argv.slice(2));
