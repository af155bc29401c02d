import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { Scrubber, secretTexts } from '../../../contract/provider-protocol/scrubber.ts';
import type { Application } from '../../application/preflight/application.ts';
import type { Capability } from '../../calls/broker/capability.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { Occurrence } from '../../providers/source/installed-provider.ts';
import { needsApproval, type ApprovalPolicy } from './approval.ts';
import { importedName } from './imported-provider.ts';
import { NEEDS_NO_APPROVAL } from '../../providers/source/approval.ts';
import type { ServerState, SessionServerProcess } from './servers.ts';

/** An imported server whose documents were checked. */
export interface AddedServer {
  readonly alias: string;
  readonly application: Application;
  readonly reader: DocumentReader;
  readonly secrets: readonly string[];
}

/** A server of a session that was started. */
export interface OpenedServer {
  readonly process: Pick<SessionServerProcess, 'alias' | 'state' | 'provider' | 'settled' | 'close'>;
  readonly occurrence: Occurrence;
  /** Null: it is the application's own. */
  readonly imported: AddedServer | null;
}

/** A tool as search and description show it. */
export interface RoomTool extends Pick<
  Capability,
  'name' | 'upstreamName' | 'description' | 'effect' | 'inputSchema' | 'outputSchema'
> {
  readonly asks: boolean;
  /** Alias of its server. */
  readonly server: string;
}

export interface RoomServer {
  readonly alias: string;
  readonly state: ServerState;
  /** Those that programs may call. */
  readonly tools: number;
  /** Those that it has as well. */
  readonly leftOut: number;
}

/** Which imported tools programs may call, of those that servers have now (code-mode.md §3). */
export interface OfferedTools {
  /** Whole names. */
  readonly offered: ReadonlySet<string>;
  /** How many are left out, by the alias of their server; none where none is. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** The first so many by name; a tool of the application is in the place of an imported one of its name. */
export function chooseTools(opened: readonly OpenedServer[], tools: number): OfferedTools {
  const own = new Set(
    opened.flatMap(({ process, imported }) =>
      imported === null ? (process.provider?.capabilities ?? []).map(({ name }) => name) : [],
    ),
  );
  const all = opened.flatMap(({ process, imported }) =>
    imported === null
      ? []
      : (process.provider?.capabilities ?? []).map(({ name }) => ({
          alias: imported.alias,
          name: importedName(imported.alias, name),
        })),
  );
  const offered = new Set(
    all
      .map(({ name }) => name)
      .filter((name) => !own.has(name))
      .toSorted(compareUtf8)
      .slice(0, tools),
  );
  const leftOut = new Map<string, number>();
  const leave = (alias: string, count: number): void => {
    if (count > 0) leftOut.set(alias, (leftOut.get(alias) ?? 0) + count);
  };
  for (const { alias, name } of all) if (!offered.has(name)) leave(alias, 1);
  for (const { process } of opened) leave(process.alias, process.provider?.session?.leftOut ?? 0);
  return { offered, leftOut };
}

/** In byte order of their names. */
export function roomTools(
  opened: readonly OpenedServer[],
  { offered }: OfferedTools,
  policy: ApprovalPolicy,
): readonly RoomTool[] {
  return opened
    .flatMap(({ process, occurrence, imported }) => {
      const provider = process.provider;
      if (provider === null) return [];
      const secrets = [...(provider.secrets ?? []).map((secret) => secret.reveal()), ...(imported?.secrets ?? [])];
      const scrubber = new Scrubber(secrets.flatMap(secretTexts), 8);
      return provider.capabilities.flatMap((capability): readonly RoomTool[] => {
        const name = imported === null ? capability.name : importedName(imported.alias, capability.name);
        if (imported !== null && !offered.has(name)) return [];
        const { upstreamName, effect, inputSchema, outputSchema, description } = capability;
        return [
          {
            name,
            server: process.alias,
            ...(upstreamName === undefined ? {} : { upstreamName }),
            description: scrubber.text(description),
            effect,
            inputSchema,
            outputSchema,
            asks: imported === null ? asksOfOwn(occurrence, { name, effect }) : needsApproval({ name, effect }, policy),
          },
        ];
      });
    })
    .toSorted((left, right) => compareUtf8(left.name, right.name));
}

/** Whether the documents of the application have a person asked about a call (approvals.md §1). */
function asksOfOwn(
  { approvalOf = NEEDS_NO_APPROVAL }: Occurrence,
  { name, effect }: Pick<Capability, 'name' | 'effect'>,
): boolean {
  const word = approvalOf(name);
  return word === 'always' || (word === 'writes' && effect !== 'read');
}
