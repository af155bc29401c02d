import type { ProviderAdapter } from '../../contract/provider-protocol/session.ts';

type Acquires<D> = Pick<ProviderAdapter<D>, 'acquire'>;

/** What acquires, for one time: what it uses is given back when it was refused, or its session closed. */
export function releasing<D>(adapter: Acquires<D>, release: () => void): Acquires<D> {
  return {
    acquire: async (request, context) => {
      const answer = await adapter.acquire(request, context).catch((error: unknown) => {
        release();
        throw error;
      });
      if (answer.ok)
        return { ok: true, session: { ...answer.session, close: async () => answer.session.close().finally(release) } };
      release();
      return answer;
    },
  };
}
