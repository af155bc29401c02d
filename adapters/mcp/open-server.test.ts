import { expect } from 'chai';
import { discover } from './discover-server.ts';
import { stepBound, type OpenServer } from './open-server.ts';
import type { CataloguePage } from './protocol/catalogue.ts';
import { CLIENT } from './protocol/revision.ts';
import type { ServerWorkers } from './workers.ts';

const LIMITS = { argumentBytes: 1, resultBytes: 1, heapWords: 1, evaluationTimeoutMs: 1000 };
const DECLARATION = {
  transport: { type: 'streamable_http', endpoint: 'https://a.example', auth: [], oauth: null },
  revisions: 'auto',
  tools: { rows: [], rest: null },
  snapshotIdentity: null,
  maxCatalogTools: 1,
  isImported: false,
  maxResultBytes: 1,
} as const;

describe('how long the steps of opening a server may take (providers.md §7.7)', () => {
  for (const [ceiling, evaluation, expected] of [
    [999, 1000, 999],
    [1000, 1000, 1000],
    [1001, 1000, 1000],
  ] as const) {
    it(`${ceiling} ms of the selection, ${evaluation} of an evaluation: ${expected}`, () => {
      expect(
        stepBound({ ...DECLARATION, timeoutMs: ceiling }, { ...LIMITS, evaluationTimeoutMs: evaluation }).ms,
      ).to.equal(expected);
    });
  }

  it('is a budget of its own for each request of discovery', async () => {
    const requested: (readonly [string, number])[] = [];
    const server: OpenServer = {
      transport: 'streamable_http',
      ask: async (write, timeoutMs) => {
        const request = write(requested.length + 1, {
          client: CLIENT,
          revision: '2026-07-28',
          progressToken: null,
          traceparent: null,
        });
        requested.push([request.method, timeoutMs]);
        return { request, exchanged: { kind: 'answered', bytes: new Uint8Array(), status: 200, stderr: null } };
      },
      lastWords: () => Promise.resolve({ end: null, stderr: null }),
      lost: new Promise(() => undefined),
      ended: () => new Promise(() => undefined),
      revision: () => '2026-07-28',
      agree: async () => null,
      reopen: async () => null,
      close: async () => true,
    };
    const pages = ['a', 'b', null].map((cursor): CataloguePage => ({
      ok: true,
      names: [],
      tools: [],
      leftOut: 0,
      bytes: 0,
      scope: 'private',
      cursor,
    }));
    const nothing: CataloguePage = {
      ok: true,
      names: [],
      tools: [],
      leftOut: 0,
      bytes: 0,
      scope: 'private',
      cursor: null,
    };
    const workers: Pick<ServerWorkers, 'discovery' | 'page'> = {
      discovery: async () => ({ kind: 'done', value: { ok: true, serverInfoHash: null } }),
      page: async () => ({ kind: 'done', value: pages.shift() ?? nothing }),
    };
    const found = await discover(
      server,
      Object({ workers }),
      {
        revisions: 'auto',
        wanted: null,
        bounds: { tools: 1, pages: 16, bytes: 1000 },
        step: { ms: 7, setting: 'timeout_ms' },
      },
      new AbortController().signal,
    );
    expect(found).to.have.nested.property('catalogue.pages', 3);
    expect(requested).to.deep.equal([
      ['server/discover', 7],
      ['tools/list', 7],
      ['tools/list', 7],
      ['tools/list', 7],
    ]);
  });
});
