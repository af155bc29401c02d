import type { Credentials } from '../../../contract/provider-protocol/credentials.ts';
import type { FoundPrograms, StdioDeclaration } from '../declaration.ts';
import { checkStdio } from '../local-check.ts';
import type { ClientInfo } from '../protocol/request.ts';
import type { RevisionPolicy } from '../protocol/revision.ts';
import { refused, type Unopened } from '../refused.ts';
import type { Connector, PreparingTools, Transport } from '../transport.ts';
import { childEnvironment } from './child-environment.ts';
import { stdioConnection } from './connection.ts';
import { isUnchanged } from './executable.ts';
import { startGuardedChild, type StdioLaunch } from './guarded-child.ts';

/** A server over standard streams, and how long its process may take to be there. */
export interface StdioTarget extends StdioLaunch {
  readonly type: 'stdio';
  readonly client: ClientInfo;
  readonly revisions: RevisionPolicy;
  readonly stderrBytes: number;
  readonly startTimeoutMs: number;
}

/** A child of this process that speaks lines of JSON (providers.md §7.8). */
export const stdioTransport: Transport<StdioDeclaration, StdioTarget> = {
  prepare: async (declaration, tools) => {
    const programs = await findPrograms(declaration, tools);
    if ('ok' in programs) return programs;
    const { command, launcher } = programs;
    return {
      ok: true,
      target: targetOf(declaration, programs, tools),
      facts: [
        ['executable_digest', `sha256:${command.digest}`],
        ['launcher_digest', launcher === null ? null : `sha256:${launcher.digest}`],
      ],
    };
  },
};

/** `start` of the child, which the time to start bounds. */
export function stdioConnector(start: typeof startGuardedChild = startGuardedChild): Connector<StdioTarget> {
  return {
    open: async (target) => {
      const inTime = AbortSignal.timeout(target.startTimeoutMs);
      const child = await start(target, inTime);
      if (child === null)
        return inTime.aborted
          ? { fault: 'timeout', said: `it had not started within ${target.startTimeoutMs} ms` }
          : { fault: 'closed', said: 'it could not be started' };
      return stdioConnection(child, target);
    },
  };
}

/** Those of the local check, if they still are where they was. */
async function findPrograms(
  declaration: StdioDeclaration,
  { workers, signal }: PreparingTools,
): Promise<FoundPrograms | Unopened> {
  const { programs } = declaration;
  if (programs === null) {
    const checked = await checkStdio(workers, declaration, signal);
    return checked.ok
      ? checked.programs
      : refused(
          checked.finding.code === 'environment_unavailable' ? 'environment_unavailable' : 'provider_unavailable',
        );
  }
  const unchanged = await Promise.all(
    [programs.command, ...(programs.launcher === null ? [] : [programs.launcher])].map(isUnchanged),
  );
  return unchanged.includes(false) ? refused('provider_policy_changed') : programs;
}

function targetOf(
  declaration: StdioDeclaration,
  { command, launcher }: FoundPrograms,
  { client, credentials, revisions, stepMs }: PreparingTools,
): StdioTarget {
  return {
    type: 'stdio',
    client,
    revisions,
    command: command.path,
    args: declaration.args,
    launcher: launcher?.path ?? null,
    directory: declaration.directory,
    environment: childEnvironment(declaration.inherited ?? {}, boundVariables(declaration, credentials)),
    graceMs: declaration.graceMs,
    stderrBytes: declaration.stderrBytes,
    startTimeoutMs: Math.min(stepMs, declaration.startTimeoutMs),
  };
}

function boundVariables({ bindings }: StdioDeclaration, credentials: Credentials): Readonly<Record<string, string>> {
  return Object.fromEntries([...bindings].map(([variable, name]) => [variable, credentials.get(name)?.reveal() ?? '']));
}
