import { request } from 'node:http';
import { expect } from 'chai';
import { answer, refuseQuery } from '../../history/analysis/answer.ts';
import { members } from '../../history/analysis/members.ts';
import { setupRefusal, type SessionCode } from '../../session/profiles/refusal.ts';
import { NO_ROUTE, type HttpAnswer } from '../answers.ts';
import type { ViewerAdmission } from '../gates.ts';
import { liveStore } from '../live/store.ts';
import { keepSecret } from '../secrets.ts';
import { serveViewer } from '../server.ts';
import type { OpenBackend } from './backend.ts';
import { newRepl } from './repl.ts';
import { bootstrap, change } from './repl-routes.ts';
import { failedEnd, fakeBackend } from './testing/fake-backend.ts';

const RUNS: Parameters<typeof bootstrap>[1] = {
  counts: () => ({ public: 1, private: 1 }),
  analysis: {
    open: async (options) => {
      const id = options.get('run_id');
      return id === 'r-1' || id === 'r-later' || id === 'r-private'
        ? answer(members({ run: members({ source: id === 'r-private' ? 'private' : 'sanitized' }) }))
        : refuseQuery('not_found');
    },
    runs: async () => refuseQuery('invalid_query'),
    read: async () => refuseQuery('invalid_query'),
    counters: async () => refuseQuery('invalid_query'),
  },
};
const NONCES: Omit<ViewerAdmission, 'port'> = {
  isExposed: false,
  token: null,
  pageNonce: keepSecret('page'),
  replNonce: keepSecret('repl'),
  liveNonce: keepSecret('live'),
};

/** Asks a server with this one session, in order; each answer with its code. */
async function asking(
  open: OpenBackend,
  requests: readonly (readonly [path: string, body: object])[],
): Promise<readonly string[]> {
  const repl = newRepl({ open, mutationNonce: 'repl', now: () => 0, reportBug: () => undefined });
  const server = await serveViewer({
    address: '127.0.0.1',
    port: 0,
    admission: NONCES,
    reportBug: (error) => {
      throw error;
    },
    services: {
      live: liveStore(() => new Date(0)),
      answer: async (wanted, incoming): Promise<HttpAnswer> =>
        wanted.route === 'repl operation'
          ? change(repl, RUNS, incoming, wanted.operation)
          : wanted.route === 'repl'
            ? bootstrap(repl, RUNS)
            : NO_ROUTE,
    },
  });
  if (!server.ok) throw new Error('a port of the system is free');
  const reported: string[] = [];
  try {
    for (const [path, body] of requests)
      reported.push(await post(server.port, repl.sessionId(), path, JSON.stringify(body)));
    return reported;
  } finally {
    await server.close();
    await repl.close();
  }
}

async function post(port: number, session: string, path: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      origin: `http://127.0.0.1:${port}`,
      'x-svc-viewer-nonce': 'repl',
      'x-svc-viewer-session': session,
    };
    request(
      { host: '127.0.0.1', port, path: `/api/repl/${path}`, method: 'POST', headers, agent: false },
      (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => {
            text += part;
          })
          .on('end', () => {
            resolve(`${response.statusCode ?? 0} ${Object(JSON.parse(text)).error?.code ?? 'ok'}`);
          });
      },
    )
      .on('error', reject)
      .end(body);
  });
}

const FORM = ['evaluations', { source: '1' }] as const;

describe('what the session of a viewer answers (evidence.md §11)', () => {
  const openings: readonly (readonly [code: SessionCode, told: string])[] = [
    ['command_failed', '503 trace_unavailable'],
    ['source_unavailable', '503 trace_unavailable'],
    ['source_changed', '503 trace_unavailable'],
    ['source_limit_exceeded', '413 trace_source_too_large'],
    ['source_retained_limit_exceeded', '413 trace_source_too_large'],
    ['result_limit_exceeded', '413 trace_source_too_large'],
    ['malformed_source', '422 unsupported_trace'],
    ['unsupported_schema', '422 unsupported_trace'],
    ['profile_setup_failed', '500 repl_start_failed'],
    ['inspection_correlation_missing', '500 repl_start_failed'],
  ];
  for (const [code, reported] of openings) {
    it(`${code}: ${reported}`, async () => {
      expect(
        await asking(async () => setupRefusal(code, 'm', 'h'), [FORM, ['names', {}], ['reset', {}]]),
      ).to.deep.equal([reported, reported, reported]);
    });
  }

  it('tells a session that is over from one that is broken or was not written', async () => {
    const over = fakeBackend({ evaluate: async () => failedEnd({ ended: true }) });
    expect(
      await asking(over.open, [FORM, FORM, ['templates', { kind: 'run', run_id: 'r-1' }], ['reset', {}]]),
    ).to.deep.equal(['200 ok', '409 session_terminal', '409 session_terminal', '200 ok']);
    const broken = fakeBackend({
      evaluate: async () => {
        throw new Error('bug');
      },
    });
    expect(await asking(broken.open, [FORM, FORM, ['reset', {}]])).to.deep.equal([
      '500 adapter_failure',
      '409 session_closed',
      '200 ok',
    ]);
    expect(
      await asking(fakeBackend({ isWritten: false }).open, [FORM, ['reset', {}], FORM, ['reset', {}]]),
    ).to.deep.equal(['200 ok', '500 persistence_failed', '409 session_closed', '200 ok']);
  });

  it('writes forms about runs that it knows, before and after it is opened', async () => {
    const about = (run_id: string, kind = 'turns') => ['templates', { kind, run_id }] as const;
    expect(
      await asking(fakeBackend().open, [
        about('r-1'),
        about('r-later'),
        about('r-private'),
        about('none'),
        FORM,
        about('r-1', 'run'),
        about('r-later'),
      ]),
    ).to.deep.equal([
      '200 ok',
      '200 ok',
      '422 unsupported_trace',
      '400 invalid_request',
      '200 ok',
      '200 ok',
      '409 trace_changed',
    ]);
  });
});
