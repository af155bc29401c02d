const REDACTED = '[redacted]';

/**
 * A value that nobody prints by accident: as text, as JSON, in a log and in a clone it says `[redacted]` or nothing.
 * Structured clone drops it, so that it reaches another thread only where somebody calls `reveal` to send it there.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The value itself, for the one place that sends it. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  /** What Node prints of it. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return REDACTED;
  }
}

/**
 * What one provider was given: the values of the credentials that its own installation names, and of no other, by the
 * names of `credentials` in the host document. They were resolved once for the command (runtime.md §1 step 14). Anyone
 * who holds them lets go of them when the session is closed; a worker gets them with the job that needs them.
 */
export type Credentials = ReadonlyMap<string, Secret>;
