import { expect } from 'chai';
import { mayPass, type ViewerAdmission, type RequestSender, type RouteAccess } from './gates.ts';
import { routeOf } from './routes.ts';
import { keepSecret } from './secrets.ts';

const PORT = 4321;
const [TOKEN, PAGE, REPL, LIVE] = ['t'.repeat(32), 'page', 'repl', 'live'];
const NONCES = { pageNonce: keepSecret(PAGE), replNonce: keepSecret(REPL), liveNonce: keepSecret(LIVE) };
const OPEN: ViewerAdmission = { isExposed: false, port: PORT, token: null, ...NONCES };
const GUARDED: ViewerAdmission = { ...OPEN, token: keepSecret(TOKEN) };
const EXPOSED: ViewerAdmission = { ...GUARDED, isExposed: true };

const BARE: RequestSender = {
  host: `127.0.0.1:${PORT}`,
  origin: null,
  fetchSite: null,
  isLoopbackPeer: true,
  bearer: null,
  cookie: null,
  queryToken: null,
  pageNonce: null,
  replNonce: null,
  liveNonce: null,
};
const SAME = { origin: `http://127.0.0.1:${PORT}` };

const HOSTS = [
  `localhost:${PORT}`,
  `127.0.0.1:${PORT}`,
  `[::1]:${PORT}`,
  'localhost',
  `localhost:${PORT + 1}`,
  `127.0.0.1.evil.example:${PORT}`,
  `evil.example:${PORT}`,
  `LOCALHOST.:${PORT}`,
  '',
  null,
] as const;
const ORIGINS = ['same', 'null', `http://localhost:${PORT + 1}`, 'https://evil.example', null] as const;
const GATES: readonly RouteAccess[] = [
  'read',
  'refresh',
  'repl read',
  'repl change',
  'live read',
  'live change',
  'reporter',
];

/** The tables of evidence.md §11, said once more and in other words. */
function expected(
  gate: RouteAccess,
  {
    host,
    origin,
    fetchSite,
    isLoopbackPeer,
    bearer,
    cookie,
    queryToken,
    pageNonce,
    replNonce,
    liveNonce,
  }: RequestSender,
  { isExposed, token }: ViewerAdmission,
): boolean {
  const names =
    gate === 'repl read' || gate === 'repl change' ? ['localhost', '127.0.0.1'] : ['localhost', '127.0.0.1', '[::1]'];
  const carries = token !== null && [bearer, cookie, queryToken].includes(TOKEN);
  if (isExposed ? !carries : !names.map((name) => `${name}:${PORT}`).includes(host ?? '')) return false;
  const isSame = host !== null && origin === `http://${host}`;
  if (gate === 'refresh') return (origin === null || isSame) && !['cross-site', 'same-site'].includes(fetchSite ?? '');
  if (gate === 'repl read') return fetchSite === 'same-origin' && pageNonce === PAGE;
  if (gate === 'repl change') return isSame && replNonce === REPL;
  if (gate === 'live read') return isLoopbackPeer || carries;
  if (gate === 'live change') return (isLoopbackPeer || carries) && isSame && liveNonce === LIVE;
  if (gate === 'reporter') return token === null ? isLoopbackPeer && origin === null : bearer === TOKEN;
  return true;
}

describe('who may ask the viewer (evidence.md §11)', () => {
  for (const gate of GATES) {
    it(`is decided for every combination: ${gate}`, () => {
      let [passed, refused] = [0, 0];
      const tokens = [
        {},
        { bearer: TOKEN },
        { cookie: TOKEN },
        { queryToken: TOKEN },
        { bearer: `${TOKEN}x`, cookie: 'c', queryToken: '' },
      ];
      const nonces = [
        {},
        { pageNonce: PAGE },
        { replNonce: REPL },
        { liveNonce: LIVE },
        { pageNonce: LIVE, replNonce: PAGE, liveNonce: REPL },
      ];
      for (const admission of [OPEN, GUARDED, EXPOSED])
        for (const host of HOSTS)
          for (const from of ORIGINS)
            for (const fetchSite of ['same-origin', 'same-site', 'cross-site', 'none', null]) {
              for (const isLoopbackPeer of [true, false])
                for (const token of tokens)
                  for (const nonce of nonces) {
                    const caller = {
                      ...BARE,
                      ...token,
                      ...nonce,
                      host,
                      origin: from === 'same' ? `http://${host ?? ''}` : from,
                      fetchSite,
                      isLoopbackPeer,
                    };
                    const may = mayPass(gate, caller, admission);
                    expect(may, JSON.stringify({ ...caller, exposed: admission.isExposed })).to.equal(
                      expected(gate, caller, admission),
                    );
                    if (may) passed += 1;
                    else refused += 1;
                  }
            }
      expect(passed).to.be.greaterThan(0);
      expect(refused).to.be.greaterThan(passed);
    });
  }

  it('keeps a page of another name from reading, though it was brought to this address', () => {
    expect(mayPass('read', { ...BARE, host: `evil.example:${PORT}` }, OPEN)).to.equal(false);
    expect(mayPass('read', BARE, OPEN)).to.equal(true);
  });

  it('keeps a foreign page from posting for a run', () => {
    expect(mayPass('reporter', { ...BARE, origin: 'https://evil.example' }, OPEN)).to.equal(false);
    expect(mayPass('reporter', { ...BARE, ...SAME }, OPEN)).to.equal(false);
    expect(mayPass('reporter', BARE, OPEN)).to.equal(true);
  });
});

describe('routes of the viewer (evidence.md §11)', () => {
  const rows: readonly (readonly [method: string, path: string, gate: RouteAccess])[] = [
    ['GET', '/api/kernel/runs', 'read'],
    ['GET', '/api/kernel/runs/a', 'read'],
    ['GET', '/api/kernel/runs/a/turns', 'read'],
    ['GET', '/api/kernel/runs/a/spans', 'read'],
    ['GET', '/api/kernel/counters', 'read'],
    ['POST', '/api/kernel/refresh', 'refresh'],
    ['GET', '/api/analysis/runs/a/conversation', 'read'],
    ['GET', '/api/analysis/runs/a/preludes', 'read'],
    ['GET', '/api/analysis/runs/a/execution-errors', 'read'],
    ['GET', '/api/analysis/runs/a/explicit-failure-values', 'read'],
    ['GET', '/api/repl', 'repl read'],
    ['DELETE', '/api/repl', 'repl change'],
    ['POST', '/api/repl/evaluations', 'repl change'],
    ['POST', '/api/repl/templates', 'repl change'],
    ['POST', '/api/repl/names', 'repl change'],
    ['POST', '/api/repl/reset', 'repl change'],
    ['POST', '/api/live/runs/a', 'reporter'],
    ['GET', '/api/live/runs', 'live read'],
    ['DELETE', '/api/live/runs/a', 'live change'],
    ['GET', '/api/live/stream', 'live read'],
    ['POST', '/api/live/runs/a/inspect', 'live change'],
    ['GET', '/api/live/project', 'live read'],
    ['GET', '/api/live/launch', 'live read'],
    ['POST', '/api/live/launch', 'live change'],
    ['GET', '/', 'read'],
    ['GET', '/anything', 'read'],
    ['GET', '/assets/a.js', 'read'],
  ];
  for (const [method, path, gate] of rows)
    it(`${method} ${path} is for: ${gate}`, () => {
      expect(routeOf(method, path)).to.include({ kind: 'matched', gate });
    });

  for (const path of [
    '/api',
    '/api/',
    '/api/kernel',
    '/api/kernel/runs/',
    '/api/kernel/runs/a/b/c',
    '/api/analysis/runs/a/secrets',
    '/api/kernel/runs/%ff',
    '/api/live/runs/%E0%A4',
  ]) {
    it(`${path} is none`, () => {
      expect(routeOf('GET', path)).to.deep.equal({ kind: 'none' });
    });
  }

  it('takes no other method', () => {
    for (const path of new Set(rows.map(([, path]) => path)))
      for (const method of ['PUT', 'PATCH', 'OPTIONS', 'HEAD'])
        expect(routeOf(method, path), `${method} ${path}`).to.include({ kind: 'other method' });
  });

  it('gives an id as it was before it was encoded', () => {
    expect(routeOf('GET', '/api/kernel/runs/a%2F..%2Fb')).to.have.nested.property('wanted.runId', 'a/../b');
  });
});
