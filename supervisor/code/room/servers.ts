import { Scrubber, secretTexts } from '../../../contract/provider-protocol/scrubber.ts';
import type { Outcome } from '../../../contract/outcome.ts';
import type { AcquiredProvider } from '../../providers/source/installed-provider.ts';
import type { OpenProviders } from '../../run/acquisition.ts';

/** One server of a session, opened and opened again. */
export interface ServerSource {
  /** As programs name it. */
  readonly alias: string;
  /** Opens it; never rejects. Aborting gives it up. */
  readonly open: (signal: AbortSignal) => Promise<Outcome<OpenProviders>>;
  /** What no text about it may repeat. */
  readonly secrets: readonly string[];
}

/** `reason` is for people and models; no secret is in it. */
export type ServerState =
  | { readonly state: 'starting' }
  | { readonly state: 'ready' }
  | {
      readonly state: 'unready';
      readonly reason: string;
      /** The end of what it wrote on its standard error; null: nothing. */
      readonly lastWords: string | null;
    };

export interface ServerTimers {
  readonly startMs: number;
  after(milliseconds: number, act: () => void): () => void;
}

export function serverTimers(startMs: number): ServerTimers {
  return {
    startMs,
    after: (milliseconds, act) => {
      const timer = setTimeout(act, milliseconds).unref();
      return () => {
        clearTimeout(timer);
      };
    },
  };
}

const LONGEST_PAUSE_MS = 30_000;

/**
 * A server that is started at once, and again after it was lost: 1, 2, 4 … 30 s later. One that never started stays
 * down.
 */
export class SessionServerProcess {
  readonly alias: string;
  readonly #source: ServerSource;
  readonly #timers: ServerTimers;
  readonly #stop = new AbortController();
  readonly #onChange: () => void;
  #state: ServerState = { state: 'starting' };
  /** What it offered last: its tools are named, and refused, while it is down. */
  #provider: AcquiredProvider | null = null;
  #release: OpenProviders['release'] | null = null;
  #pauseMs = 1000;
  #cancel: () => void = () => undefined;
  #opening: Promise<void>;

  constructor(source: ServerSource, timers: ServerTimers, onChange: () => void) {
    this.alias = source.alias;
    this.#source = source;
    this.#timers = timers;
    this.#onChange = onChange;
    this.#opening = this.#open();
  }

  get state(): ServerState {
    return this.#state;
  }

  /** As of its last start; null: it never started. */
  get provider(): AcquiredProvider | null {
    return this.#provider;
  }

  /** Resolves when its first start has succeeded or failed. */
  get settled(): Promise<void> {
    return this.#opening;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#cancel();
    await this.#opening;
    const release = this.#release;
    this.#release = null;
    await release?.();
  }

  async #open(): Promise<void> {
    const late = new AbortController();
    const { startMs } = this.#timers;
    const cancel = this.#timers.after(startMs, () => {
      late.abort();
    });
    const opened = await this.#source.open(AbortSignal.any([this.#stop.signal, late.signal]));
    cancel();
    if (!opened.ok) {
      this.#set({
        state: 'unready',
        reason: late.signal.aborted ? `it did not start within ${startMs} ms` : this.#reason(opened),
        lastWords: this.#lastWords(opened),
      });
      if (this.#provider !== null) this.#openLater();
      return;
    }
    const [provider = null] = opened.value.opened.values();
    this.#release = opened.value.release;
    if (this.#stop.signal.aborted || provider === null) return;
    this.#provider = provider;
    this.#pauseMs = 1000;
    this.#set({ state: 'ready' });
    const lose = (): void => {
      if (this.#stop.signal.aborted || this.#state.state !== 'ready') return;
      this.#set({ state: 'unready', reason: 'it was lost, and is started again', lastWords: null });
      const release = this.#release;
      this.#release = null;
      void release?.();
      this.#openLater();
    };
    void provider.session?.lost.then(lose, lose);
    void provider.session?.ended?.then(lose, lose);
  }

  #openLater(): void {
    if (this.#stop.signal.aborted) return;
    const pause = this.#pauseMs;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, pause * 2);
    this.#cancel = this.#timers.after(pause, () => {
      this.#opening = this.#open();
    });
  }

  #reason({ diagnostic, advice }: Extract<Outcome<OpenProviders>, { readonly ok: false }>): string {
    const said = advice?.provider?.said ?? null;
    const text = said === null ? diagnostic.message : `${diagnostic.message}: ${said}`;
    return new Scrubber(this.#source.secrets.flatMap(secretTexts)).text(text);
  }

  #lastWords({ advice }: Extract<Outcome<OpenProviders>, { readonly ok: false }>): string | null {
    const text = advice?.provider?.stderr?.text ?? '';
    return text === '' ? null : new Scrubber(this.#source.secrets.flatMap(secretTexts)).text(text);
  }

  #set(state: ServerState): void {
    this.#state = state;
    this.#onChange();
  }
}
