import type { JsonValue } from '../../contract/json/value.ts';
import type { Credentials } from '../../contract/provider-protocol/credentials.ts';
import type { Network } from '../../contract/provider-protocol/network.ts';
import type { Exchanged, LastWords, NotOpened, TransportFault } from './exchanged.ts';
import type { Unopened } from './refused.ts';
import type { ClientInfo, ServerRequest } from './protocol/request.ts';
import type { Revision, RevisionPolicy } from './protocol/revision.ts';
import type { ServerWorkers } from './workers.ts';

/**
 * One way to reach servers of tools (providers.md §7). It has two halves, each a row of a table: what is decided before
 * anything is opened is in the supervisor's thread (`Transport`, transports.ts), what holds a connection is in the
 * thread that outlives the workers (`Connector`, connections.ts). Between them travels a `Target`, plain data.
 */
export interface Transport<Declaration, Target> {
  /** What is opened for a declaration, or why it cannot be. Starts nothing and contacts nobody. Never rejects. */
  prepare(declaration: Declaration, tools: PreparingTools): Promise<Prepared<Target> | Unopened>;
}

export interface PreparingTools {
  readonly client: ClientInfo;
  readonly credentials: Credentials;
  readonly revisions: RevisionPolicy;
  readonly network: Network;
  readonly workers: Pick<ServerWorkers, 'executable'>;
  /** Milliseconds of one step (providers.md §7.7). */
  readonly stepMs: number;
  readonly signal: AbortSignal;
}

export interface Prepared<Target> {
  readonly ok: true;
  /** With its secrets as text. */
  readonly target: Target;
  /** Members of a snapshot's acquisition that servers of this transport alone have (providers.md §2). */
  readonly facts: readonly (readonly [string, JsonValue])[];
}

/** Opens what a target describes. */
export interface Connector<Target> {
  /** The connection, or why there is none. Never rejects. */
  open(target: Target): Promise<Connection | NotOpened>;
}

/** An opened server. */
export interface Connection {
  /**
   * Sends one request and waits for its answer; the signal ends the wait, by its time or by its caller. Never rejects.
   */
  exchange(request: ServerRequest, signal: AbortSignal): Promise<Exchanged>;
  /**
   * Speaks a revision from here on; a session of an earlier one has started, and the server is informed. Why it could
   * not be, else null; never rejects.
   */
  agree(revision: Revision, signal: AbortSignal): Promise<TransportFault | null>;
  /** When it came to its end, be it by itself: a server that exited. */
  readonly ended: Promise<void>;
  /** What people read about a server that did not answer: of one that ended, once its output did. Never rejects. */
  lastWords(): Promise<LastWords>;
  /** Ends it, and what is under way; false where its end could not be proved. */
  close(): Promise<boolean>;
}
