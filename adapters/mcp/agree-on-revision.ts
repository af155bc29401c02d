import type { AcquisitionCode } from '../../contract/provider-protocol/session.ts';
import type { TransportFault } from './exchanged.ts';
import type { Asked, OpenServer, ServerTools } from './open-server.ts';
import { discoverRequest, initializeRequest } from './protocol/request.ts';
import {
  OLDER_REVISIONS,
  PROTOCOL_VERSION,
  type OlderRevision,
  type Revision,
  type RevisionPolicy,
} from './protocol/revision.ts';
import { refused, type Unopened } from './refused.ts';
import { acquisitionCode } from './transport-failure.ts';

/** A revision that both sides speak. */
export interface Agreed {
  readonly ok: true;
  readonly revision: Revision;
  readonly serverInfoHash: string | null;
}

export interface AgreeingTerms {
  readonly revisions: RevisionPolicy;
  /** Milliseconds of each request. */
  readonly stepMs: number;
}

/**
 * Asks what a server speaks in the newest revision, and begins a session of an earlier one where it does not know that
 * (world.md §2.1).
 */
export async function agreeOnRevision(
  server: OpenServer,
  tools: ServerTools,
  terms: AgreeingTerms,
  signal: AbortSignal,
): Promise<Agreed | Unopened> {
  const found = await discoverNewest(server, tools, terms, signal);
  if (found.ok) {
    const fault = await server.agree(found.revision, terms.stepMs);
    return fault === null ? found : refused(codeOf(fault));
  }
  if (!found.isOlder || terms.revisions !== 'auto') return refused(found.code);
  // Some end over a message that comes before a session: they are started once more, and asked nothing else.
  const fault = found.isGone ? await server.reopen() : null;
  if (fault !== null) return refused(codeOf(fault));
  const begun = await beginSession(server, tools, { ...terms, wanted: OLDER_REVISIONS[0] }, signal);
  if (begun.ok) return begun;
  return refused(begun.refusal === 'refused' ? found.code : begun.refusal);
}

type NewestDiscovery =
  | Agreed
  | {
      readonly ok: false;
      readonly code: AcquisitionCode;
      /** What it said, or did, leaves open that it speaks an earlier revision. */
      readonly isOlder: boolean;
      /** It ended over the question. */
      readonly isGone: boolean;
    };

async function discoverNewest(
  server: OpenServer,
  { workers }: ServerTools,
  { stepMs }: AgreeingTerms,
  signal: AbortSignal,
): Promise<NewestDiscovery> {
  const unavailable = { ok: false, code: 'provider_unavailable', isOlder: false, isGone: false } as const;
  const { request, exchanged } = await server.ask(discoverRequest, stepMs, signal);
  if (exchanged === 'lost') return unavailable;
  if (exchanged.kind === 'failed') {
    const { fault } = exchanged;
    // Over HTTP nothing but an answer says what a server speaks.
    const isChild = server.transport === 'stdio';
    const isGone = isChild && (fault === 'broken' || fault === 'closed');
    return { ok: false, code: acquisitionCode(fault), isOlder: isGone || (isChild && fault === 'timeout'), isGone };
  }
  const end = await workers.discovery({ bytes: exchanged.bytes, id: request.id }, exchanged.status, signal);
  if (end.kind !== 'done') return unavailable;
  return end.value.ok ? { ...end.value, revision: PROTOCOL_VERSION } : { ...end.value, isGone: false };
}

/** No session; `refused`: the server says no to every one, and names none that is spoken here. */
type NotBegun = { readonly ok: false; readonly refusal: AcquisitionCode | 'refused' };

/**
 * Begins a session at the revision that the server answers the wanted one with, or at one that it names when it
 * refuses.
 */
export async function beginSession(
  server: OpenServer,
  { workers }: ServerTools,
  { stepMs, wanted }: AgreeingTerms & { readonly wanted: OlderRevision },
  signal: AbortSignal,
): Promise<Agreed | NotBegun> {
  const untried = new Set<OlderRevision>(OLDER_REVISIONS);
  for (let next: OlderRevision | undefined = wanted; next !== undefined;) {
    const asking: OlderRevision = next;
    untried.delete(asking);
    const { request, exchanged }: Asked = await server.ask(
      (id, meta) => initializeRequest(id, meta, asking),
      stepMs,
      signal,
    );
    if (exchanged === 'lost') return notBegun('provider_unavailable');
    if (exchanged.kind === 'failed') return notBegun(acquisitionCode(exchanged.fault));
    const end = await workers.initialization({ bytes: exchanged.bytes, id: request.id }, exchanged.status, signal);
    if (end.kind !== 'done') return notBegun('provider_unavailable');
    const said = end.value;
    switch (said.kind) {
      case 'begun': {
        const { revision, serverInfoHash } = said;
        const fault = await server.agree(revision, stepMs);
        return fault === null ? { ok: true, revision, serverInfoHash } : notBegun(codeOf(fault));
      }
      case 'malformed':
        return notBegun('provider_protocol_error');
      case 'unsupported':
        return notBegun('provider_protocol_version_unsupported');
      case 'refused':
        next = said.offered.find((offered) => untried.has(offered));
    }
  }
  return notBegun('refused');
}

function notBegun(refusal: NotBegun['refusal']): NotBegun {
  return { ok: false, refusal };
}

function codeOf(fault: TransportFault | 'lost'): AcquisitionCode {
  return fault === 'lost' ? 'provider_unavailable' : acquisitionCode(fault);
}
