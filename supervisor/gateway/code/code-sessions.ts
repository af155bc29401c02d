import { randomBytes } from 'node:crypto';

/** What is kept of a session, whatever it is. */
export interface OpenSession {
  /** Whether a program is evaluated or waits. */
  isBusy(): boolean;
  close(): Promise<void>;
}

/** Timers that a test can hold still. */
export interface SessionTimers {
  /** Calls `act` after so many milliseconds unless what it gives is called before. */
  after(milliseconds: number, act: () => void): () => void;
}

/** Whose a session is: nobody else can find that it exists. */
export interface SessionOwner {
  /** Name of the binding whose bearer was shown. */
  readonly bearer: string;
  readonly tool: string;
}

/** Of one gateway, and milliseconds after its last use. */
const MOST = 64;
const IDLE_MS = 30 * 60_000;
const NAME_BYTES = 16;

interface SessionEntry<Session> {
  readonly owner: SessionOwner;
  readonly session: Session;
  cancel: () => void;
}

/**
 * Sessions of clients that have no connection, by a name that nobody guesses (code-mode.md §2, §5). One that is idle
 * for half an hour is dropped, and the one that was used longest ago where there are too many.
 */
export class CodeSessions<Session extends OpenSession> {
  readonly #timers: SessionTimers;
  /** The one that was used last is the last. */
  readonly #sessions = new Map<string, SessionEntry<Session>>();
  readonly #closing = new Set<Promise<void>>();

  constructor(timers: SessionTimers) {
    this.#timers = timers;
  }

  get count(): number {
    return this.#sessions.size;
  }

  all(): readonly Session[] {
    return [...this.#sessions.values()].map(({ session }) => session);
  }

  /** Null: there are as many as there may be, and all of them are at work. */
  open(owner: SessionOwner, make: () => Session): { readonly name: string; readonly session: Session } | null {
    if (this.#sessions.size >= MOST) {
      const [oldest] = [...this.#sessions].find(([, { session }]) => !session.isBusy()) ?? [];
      if (oldest === undefined) return null;
      this.#drop(oldest);
    }
    const name = randomBytes(NAME_BYTES).toString('hex');
    const session = make();
    this.#keep(name, { owner, session, cancel: () => undefined });
    return { name, session };
  }

  /** Null: none of this name is the owner's. */
  find(owner: SessionOwner, name: string): Session | null {
    const sessionEntry = this.#sessions.get(name);
    if (
      sessionEntry === undefined ||
      sessionEntry.owner.bearer !== owner.bearer ||
      sessionEntry.owner.tool !== owner.tool
    )
      return null;
    sessionEntry.cancel();
    this.#sessions.delete(name);
    this.#keep(name, sessionEntry);
    return sessionEntry.session;
  }

  async close(): Promise<void> {
    for (const name of this.#sessions.keys()) this.#drop(name);
    await Promise.all(this.#closing);
  }

  #keep(name: string, sessionEntry: SessionEntry<Session>): void {
    sessionEntry.cancel = this.#timers.after(IDLE_MS, () => {
      if (sessionEntry.session.isBusy()) this.#keep(name, sessionEntry);
      else this.#drop(name);
    });
    this.#sessions.set(name, sessionEntry);
  }

  #drop(name: string): void {
    const sessionEntry = this.#sessions.get(name);
    if (sessionEntry === undefined) return;
    sessionEntry.cancel();
    this.#sessions.delete(name);
    const closed: Promise<void> = sessionEntry.session
      .close()
      .catch(() => undefined)
      .finally(() => {
        this.#closing.delete(closed);
      });
    this.#closing.add(closed);
  }
}
