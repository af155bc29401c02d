import type { Exchanged, NotOpened, TransportFault } from './exchanged.ts';
import { failureWords, type TimeBound } from './failure-words.ts';
import type { PendingServerRequest, OpenServer, ServerTools } from './open-server.ts';
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
  /** How long each request may take. */
  readonly step: TimeBound;
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
    const fault = await server.agree(found.revision, terms.step.ms);
    return fault === null ? found : notAgreed(server, fault, terms.step);
  }
  if (!found.isOlder || terms.revisions !== 'auto') return found.unopened;
  // Some end over a message that comes before a session: they are started once more, and asked nothing else.
  const notOpened = found.isClosed ? await server.reopen() : null;
  if (notOpened !== null) return unopened(notOpened);
  const started = await beginSession(server, tools, { ...terms, wanted: OLDER_REVISIONS[0] }, signal);
  if (started.ok) return started;
  return started.unopened ?? found.unopened;
}

type NewestDiscovery =
  | Agreed
  | {
      readonly ok: false;
      readonly unopened: Unopened;
      /** What it said, or did, leaves open that it speaks an earlier revision. */
      readonly isOlder: boolean;
      /** It ended over the question. */
      readonly isClosed: boolean;
    };

async function discoverNewest(
  server: OpenServer,
  { workers }: ServerTools,
  { step }: AgreeingTerms,
  signal: AbortSignal,
): Promise<NewestDiscovery> {
  const unavailable = {
    ok: false,
    unopened: refused('provider_unavailable'),
    isOlder: false,
    isClosed: false,
  } as const;
  const { request, exchanged } = await server.ask(discoverRequest, step.ms, signal);
  if (exchanged === 'lost') return unavailable;
  if (exchanged.kind === 'failed') {
    const { fault } = exchanged;
    // Over HTTP nothing but an answer says what a server speaks.
    const isChild = server.transport === 'stdio';
    const isMissing = isChild && (fault === 'broken' || fault === 'closed');
    const isOlder = isMissing || (isChild && fault === 'timeout');
    return { ok: false, unopened: await unanswered(server, exchanged, step), isOlder, isClosed: isMissing };
  }
  const end = await workers.discovery({ bytes: exchanged.bytes, id: request.id }, exchanged.status, signal);
  if (end.kind !== 'done') return unavailable;
  const found = end.value;
  if (found.ok) return { ...found, revision: PROTOCOL_VERSION };
  return { ok: false, unopened: refused(found.code), isOlder: found.isOlder, isClosed: false };
}

/** No session; `unopened`: null where the server says no to every one, and names none that is spoken here. */
type NoSession = { readonly ok: false; readonly unopened: Unopened | null };

/**
 * Begins a session at the revision that the server answers the wanted one with, or at one that it names when it
 * refuses.
 */
export async function beginSession(
  server: OpenServer,
  { workers }: ServerTools,
  { step, wanted }: AgreeingTerms & { readonly wanted: OlderRevision },
  signal: AbortSignal,
): Promise<Agreed | NoSession> {
  const untried = new Set<OlderRevision>(OLDER_REVISIONS);
  for (let next: OlderRevision | undefined = wanted; next !== undefined;) {
    const asking: OlderRevision = next;
    untried.delete(asking);
    const { request, exchanged }: PendingServerRequest = await server.ask(
      (id, meta) => initializeRequest(id, meta, asking),
      step.ms,
      signal,
    );
    if (exchanged === 'lost') return noSession(refused('provider_unavailable'));
    if (exchanged.kind === 'failed') return noSession(await unanswered(server, exchanged, step));
    const end = await workers.initialization({ bytes: exchanged.bytes, id: request.id }, exchanged.status, signal);
    if (end.kind !== 'done') return noSession(refused('provider_unavailable'));
    const said = end.value;
    switch (said.kind) {
      case 'begun': {
        const { revision, serverInfoHash } = said;
        const fault = await server.agree(revision, step.ms);
        return fault === null
          ? { ok: true, revision, serverInfoHash }
          : noSession(await notAgreed(server, fault, step));
      }
      case 'malformed':
        return noSession(refused('provider_protocol_error'));
      case 'unsupported':
        return noSession(refused('provider_protocol_version_unsupported'));
      case 'refused':
        next = said.offered.find((offered) => untried.has(offered));
    }
  }
  return noSession(null);
}

function noSession(unopened: NoSession['unopened']): NoSession {
  return { ok: false, unopened };
}

/** The refusal of a server that did not answer, with words for people. */
export async function unanswered(
  server: Pick<OpenServer, 'lastWords'>,
  failed: Pick<Extract<Exchanged, { readonly kind: 'failed' }>, 'fault' | 'said'>,
  step: TimeBound,
): Promise<Unopened> {
  return refused(acquisitionCode(failed.fault), null, failureWords(failed, await server.lastWords(), step));
}

async function notAgreed(
  server: Pick<OpenServer, 'lastWords'>,
  fault: TransportFault | 'lost',
  step: TimeBound,
): Promise<Unopened> {
  if (fault === 'lost') return refused('provider_unavailable');
  // A status is no broken connection.
  const said = fault === 'unanswered' ? { said: 'it did not take the beginning of its session' } : {};
  return unanswered(server, { fault, ...said }, step);
}

/** Why a server that could not be reached is not opened. */
export function unopened({ fault, said }: NotOpened): Unopened {
  return refused(acquisitionCode(fault), null, said === null ? null : { said });
}
