import type { RunEvent } from '../../evidence/run-events/run-events.ts';
import type { EventStream } from '../http/event-stream.ts';
import { MODERN_VERSION, type Era } from '../../../contract/mcp/era.ts';
import { progressOf, type ProgressToken } from './progress.ts';

/** A client that hears nothing for longer may think that nobody is there. */
const COMMIT_MS = 1000;

/** What of a request its answer needs. */
interface AttachedRequest {
  readonly era: Era;
  /** Raised when nobody waits for the answer. */
  readonly disconnected: AbortSignal;
  /** Begins the stream of an answer. */
  readonly open: (headers: Readonly<Record<string, string>>) => EventStream;
}

/** One request as it waits for the answer of a run. */
export class Attachment {
  readonly #request: AttachedRequest;
  readonly #progress: ReturnType<typeof progressOf> | null;
  #stream: EventStream | null = null;
  #committing: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(request: AttachedRequest, token: ProgressToken | null, now: () => number) {
    this.#request = request;
    this.#progress = token === null ? null : progressOf(token, (text) => this.#stream?.notify(text), now);
  }

  get hasStream(): boolean {
    return this.#stream !== null;
  }

  onEvent({ event, data }: Pick<RunEvent, 'event' | 'data'>): void {
    if (this.#isOver) return;
    // Nothing is committed before the run begins, or takes long to: until then it may be refused.
    if (event === 'admitted') this.commitSoon();
    else if (event !== 'queued' && event !== 'finished') this.#commit();
    if (event !== 'finished') this.#progress?.onEvent(event, data);
  }

  commitSoon(): void {
    this.#committing ??= setTimeout(() => this.#commit(), COMMIT_MS);
  }

  #commit(): void {
    if (!this.#request.disconnected.aborted && !this.#isOver) this.#openStream();
  }

  #openStream(): EventStream {
    const { open, era } = this.#request;
    this.#stream ??= open(era === 'modern' ? { 'mcp-protocol-version': MODERN_VERSION } : {});
    this.#progress?.begin();
    return this.#stream;
  }

  /** The last message of its answer. */
  async end(text: string): Promise<void> {
    this.#progress?.end();
    const stream = this.#openStream();
    this.close();
    await stream.end(text);
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#committing);
    this.#progress?.end();
  }
}
