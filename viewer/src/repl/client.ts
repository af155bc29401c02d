import { configuration } from '../configuration.ts';
import { Refusal, ask } from '../source.ts';
import type { Bootstrap, Evaluation, ReplState } from './answers.ts';

/**
 * The session of the viewer, as one page of it asks. Everything is asked in turn: the session does one thing at a time.
 */
export interface ReplClient {
  read(): Promise<Bootstrap>;
  /** Aborting interrupts the form. */
  evaluate(source: string, signal: AbortSignal): Promise<ReplState & { readonly evaluation: Evaluation }>;
  names(): Promise<readonly string[]>;
  template(kind: 'run' | 'turns', runId: string): Promise<string>;
  reset(): Promise<ReplState>;
}

export function replClient(onState: (state: ReplState) => void): ReplClient {
  let seen: Pick<ReplState, 'session_id' | 'mutation_nonce'> | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  function take<T extends ReplState>(state: T): T {
    seen = state;
    onState(state);
    return state;
  }

  async function read(): Promise<Bootstrap> {
    return take(
      await ask<Bootstrap>('/api/repl', {
        headers: { 'X-Svc-Viewer-Page-Nonce': configuration().page_bootstrap_nonce ?? '' },
      }),
    );
  }

  /** `isUnseen`: nobody reads why it was refused, so that the page stays at the session that it shows. */
  async function change<T extends ReplState>(
    operation: string,
    body: object,
    { signal = null, isUnseen = false }: { readonly signal?: AbortSignal | null; readonly isUnseen?: boolean } = {},
  ): Promise<T> {
    const { session_id: id, mutation_nonce: nonce } = seen ?? (await read());
    const headers = { 'content-type': 'application/json', 'X-Svc-Viewer-Nonce': nonce, 'X-Svc-Viewer-Session': id };
    try {
      return take(
        await ask<T>(`/api/repl/${operation}`, { method: 'POST', headers, body: JSON.stringify(body), signal }),
      );
    } catch (error) {
      // What became of the session is reported only by itself; a reason that it refused for is reported before.
      if (error instanceof Refusal && error.code !== 'unreachable' && !isUnseen) await read().catch(() => null);
      throw error;
    }
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  return {
    read,
    evaluate: async (source, signal) => inTurn(async () => change('evaluations', { source }, { signal })),
    names: async () =>
      inTurn(async () => (await change<ReplState & { names: string[] }>('names', {}, { isUnseen: true })).names),
    template: async (kind, runId) =>
      inTurn(
        async () =>
          (await change<ReplState & { template: { source: string } }>('templates', { kind, run_id: runId })).template
            .source,
      ),
    reset: async () => inTurn(async () => change('reset', {})),
  };
}
