import type { AcquiredProvider, Occurrence } from '../../providers/source/installed-provider.ts';
import type { ServerState } from './servers.ts';

/** Servers of an application that somebody else holds open for many sessions (gateway.md §10). */
export interface BorrowedServers {
  /** Rises whenever other ones are open. */
  generation(): number;
  /** False while they are opened again. */
  isOpen(): boolean;
  /** As it was opened last; null: it is none of them. */
  provider(occurrence: Occurrence): AcquiredProvider | null;
}

const READY: ServerState = { state: 'ready' };
const LOST: ServerState = { state: 'unready', reason: 'it was lost, and is started again', lastWords: null };

/** One of them, which no session starts and none closes. */
export class BorrowedServer {
  readonly alias: string;
  readonly settled = Promise.resolve();
  readonly #occurrence: Occurrence;
  readonly #servers: BorrowedServers;

  constructor(occurrence: Occurrence, servers: BorrowedServers) {
    this.alias = occurrence.alias;
    this.#occurrence = occurrence;
    this.#servers = servers;
  }

  get state(): ServerState {
    return this.#servers.isOpen() ? READY : LOST;
  }

  get provider(): AcquiredProvider | null {
    return this.#servers.provider(this.#occurrence);
  }

  async close(): Promise<void> {
    // Anyone who opened it closes it.
  }
}
