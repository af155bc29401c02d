/** What decides behind the viewer's routes of approvals, and what does not (approvals.md §8, lines 53 and 54). */
import { request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { askingFiles } from '../../../conformance/asking-application.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { HOSTILE_WRITES, projectWith, startWaiting, writtenFiles, type WaitingRun } from './asking-project.ts';
import { serve, type ServedViewer } from './viewer.ts';

interface RouteAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function ask(url: string, path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<RouteAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers, agent: false }, (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part;
        })
        .on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: Object(JSON.parse(text === '' ? '{}' : text)) });
        });
    });
    sent.on('error', reject).end(method === 'GET' ? undefined : body);
  });
}

async function nonceOf(url: string): Promise<string> {
  const html = await (await fetch(url)).text();
  const [, meta = ''] = /name="svc-viewer-config" content="([^"]+)"/.exec(html) ?? [];
  return String(Object(JSON.parse(Buffer.from(meta, 'base64url').toString())).live_mutation_nonce);
}

const codeOf = ({ status, body }: RouteAnswer): readonly unknown[] => [status, Object(body['error']).code];

describe('routes of approvals (approvals.md §8)', () => {
  let work: string;
  let directory: string;
  const viewers: ServedViewer[] = [];
  const runs: WaitingRun[] = [];
  beforeEach(() => {
    work = makeWorkDirectory(askingFiles(HOSTILE_WRITES));
    directory = join(work, 'app');
  });
  afterEach(async () => {
    await Promise.all([...viewers.splice(0), ...runs.splice(0)].map((started) => started.stop()));
    removeWorkDirectory(work);
  });

  async function served(viewer: object): Promise<string> {
    const one = await serve(directory, [projectWith(directory, 'viewed.json', viewer)]);
    viewers.push(one);
    return one.url;
  }

  function waiting(): WaitingRun {
    const run = startWaiting(directory, 'viewed.json');
    runs.push(run);
    return run;
  }

  it('decide what a page of this viewer sends, once, and nothing else', async () => {
    const url = await served({ private: true, approvals: true });
    const run = waiting();
    const id = await run.asked(1);
    const listed = await ask(url, '/api/approvals');
    expect(listed.body).to.include({ total: 1, decides: true });
    const [shown] = Object(listed.body['approvals']);
    expect(shown).to.include({ approval_id: id, tool: 'fs.write', effect: 'write', mission: 'desk' });
    expect(shown).to.have.nested.property('place.line', 2);
    expect(shown.place.text).to.match(/^\(tool\/fs\.write \{:path/);

    const path = `/api/approvals/${id}/decision`;
    const { origin, host } = new URL(url);
    const headers = {
      host,
      origin,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      'x-svc-viewer-live-nonce': await nonceOf(url),
    };
    const wish = { decision: 'allow', scope: 'once', arguments_hash: shown.arguments_hash };
    const send = (more: Sent & { readonly wish?: object }, without?: keyof typeof headers) => {
      const sent: Record<string, string> = { ...headers, ...more.headers };
      if (without !== undefined) delete sent[without];
      return ask(url, path, { method: 'POST', body: JSON.stringify(more.wish ?? wish), ...more, headers: sent });
    };
    const forbidden = [403, 'forbidden_request'];
    expect(codeOf(await send({}, 'x-svc-viewer-live-nonce')), 'no nonce').to.deep.equal(forbidden);
    expect(codeOf(await send({ headers: { 'x-svc-viewer-live-nonce': 'x' } })), 'nonce').to.deep.equal(forbidden);
    expect(codeOf(await send({}, 'origin')), 'no origin').to.deep.equal(forbidden);
    expect(codeOf(await send({ headers: { origin: 'http://evil.example' } })), 'origin').to.deep.equal(forbidden);
    expect(
      codeOf(await send({ headers: { host: 'evil.example', origin: 'http://evil.example' } })),
      'host',
    ).to.deep.equal(forbidden);
    expect(codeOf(await send({}, 'sec-fetch-site')), 'no site').to.deep.equal(forbidden);
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(codeOf(await send({ headers: { 'sec-fetch-site': site } })), site).to.deep.equal(forbidden);
    expect(codeOf(await send({ method: 'GET' }))).to.deep.equal([405, 'method_not_allowed']);
    expect(
      codeOf(await send({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'decision=allow' })),
      'form',
    ).to.deep.equal([415, 'unsupported_media_type']);
    for (const [wrong, why] of [
      [{ ...wish, decision: 'maybe' }, 'decision'],
      [{ ...wish, scope: 'always' }, 'scope'],
      [{ ...wish, more: 1 }, 'member'],
      [{ decision: 'allow', scope: 'once' }, 'hash'],
      [{ ...wish, reason: 'x'.repeat(513) }, 'reason'],
      [[], 'list'],
    ] as const)
      expect(codeOf(await send({ wish: wrong })), why).to.deep.equal([400, 'invalid_decision']);
    const filled = (bytes: number): string => JSON.stringify(wish).padEnd(bytes);
    expect(codeOf(await send({ body: filled(4097) }))).to.deep.equal([413, 'body_too_large']);
    expect(codeOf(await send({ wish: { ...wish, arguments_hash: '0'.repeat(64) } }))).to.deep.equal([
      409,
      'approval_changed',
    ]);
    expect(writtenFiles(directory)).to.deep.equal([]);
    const decided = await send({ body: filled(4096) });
    expect(decided).to.deep.equal({ status: 200, body: { decision: 'allowed' } });
    expect(codeOf(await send({}))[1]).to.be.oneOf(['approval_decided', 'approval_expired']);
    const second = await run.asked(2);
    const other = await ask(url, `/api/approvals/${second}/decision`, {
      method: 'POST',
      headers,
      body: JSON.stringify(wish),
    });
    expect(codeOf(other), 'the hash of another call').to.deep.equal([409, 'approval_changed']);
    const unknown = `/api/approvals/apr-${'0'.repeat(26)}/decision`;
    expect(codeOf(await ask(url, unknown, { method: 'POST', headers, body: JSON.stringify(wish) }))[0]).to.equal(404);
    const [next] = Object((await ask(url, '/api/approvals')).body['approvals']);
    const denied = { decision: 'deny', scope: 'once', reason: 'not this', arguments_hash: next.arguments_hash };
    await ask(url, `/api/approvals/${second}/decision`, { method: 'POST', headers, body: JSON.stringify(denied) });
    expect(JSON.parse((await run.ended).stdout)).to.deep.equal(['ok', 'not this']);
    expect(writtenFiles(directory)).to.deep.equal(['f1.txt']);
  });

  for (const [viewer, why] of [
    [{ private: false, approvals: true }, 'private'],
    [{ private: true }, 'approvals'],
    [{ private: true, approvals: false }, 'false approvals'],
  ] as const)
    it(`decide nothing without viewer.${why}`, async () => {
      const url = await served(viewer);
      const run = waiting();
      const id = await run.asked(1);
      const { body } = await ask(url, '/api/approvals');
      expect(body).to.include({ total: 1, decides: false });
      const [shown] = Object(body['approvals']);
      if (!viewer.private)
        expect(Object.keys(shown)).to.have.members([
          'approval_id',
          'run_ref',
          'tool',
          'effect',
          'argument_bytes',
          'asked_at',
          'expires_at',
        ]);
      const { origin, host } = new URL(url);
      const routeAnswer = await ask(url, `/api/approvals/${id}/decision`, {
        method: 'POST',
        headers: {
          host,
          origin,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
          'x-svc-viewer-live-nonce': await nonceOf(url),
        },
        body: JSON.stringify({ decision: 'allow', scope: 'once', arguments_hash: shown.arguments_hash ?? '' }),
      });
      expect(codeOf(routeAnswer)).to.deep.equal([404, 'not_found']);
      expect(writtenFiles(directory)).to.deep.equal([]);
    });
});
