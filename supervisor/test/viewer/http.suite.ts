import { request } from 'node:http';
import { expect } from 'chai';
import type { ShownFrame } from '../../../contract/viewer-answers.ts';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { until } from '../../../conformance/until.ts';
import { showProject, type ShownProject } from './evidence.ts';
import { serve, type ServedViewer } from './viewer.ts';

interface RouteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** With any headers, a foreign Host among them, which fetch would not send. */
async function ask(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RouteAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers }, (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part;
        })
        .on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
    });
    sent.on('error', reject).end(body);
  });
}

const code = ({ text }: RouteAnswer): unknown => Object(JSON.parse(text)).error?.code;

describe('svc viewer (evidence.md §11, cli.md §10)', () => {
  let work: string;
  let directory: string;
  let project: ShownProject;
  let open: ServedViewer;
  let closed: ServedViewer;
  before(async () => {
    work = makeWorkDirectory();
    project = await showProject(work);
    ({ directory } = project);
    [open, closed] = await Promise.all([serve(directory, [project.open]), serve(directory, [project.closed])]);
  });
  after(async () => {
    await Promise.all([open?.stop(), closed?.stop()]);
    removeWorkDirectory(work);
  });

  it('lists runs, tells one, its events and its counters, all of one capture', async () => {
    const runs = Object(JSON.parse((await ask(closed.url, '/api/kernel/runs')).text));
    expect(runs.items.map((run: { run_id: string }) => run.run_id)).to.deep.equal([
      project.hostile,
      project.failed,
      project.good,
    ]);
    const one = Object(JSON.parse((await ask(closed.url, `/api/kernel/runs/${project.failed}`)).text));
    expect(one.run).to.deep.include({ status: 'error', run_id: project.failed });
    const events = Object(JSON.parse((await ask(closed.url, `/api/kernel/runs/${project.good}/turns?limit=3`)).text));
    expect(events.items).to.have.length(3);
    const counters = Object(JSON.parse((await ask(closed.url, '/api/kernel/counters?status=error')).text));
    expect(counters.runs).to.equal(2);
    expect(new Set([runs.snapshot_hash, events.snapshot_hash, counters.snapshot_hash]).size).to.equal(1);
  });

  it('refuses options that it does not know, and runs that are not there', async () => {
    for (const [path, status] of [
      ['/api/kernel/runs?limit=0', 400],
      ['/api/kernel/runs?limit=101', 400],
      ['/api/kernel/runs?limit=100', 200],
      ['/api/kernel/runs?limit=1', 200],
      ['/api/kernel/runs?limit=1&limit=1', 400],
      ['/api/kernel/runs?tags=[]', 400],
      ['/api/kernel/runs?tags={}', 200],
      ['/api/kernel/runs?a=b', 400],
      ['/api/kernel/runs/none', 404],
      ['/api/kernel/runs/none/spans', 404],
      ['/api/kernel/runs/..%2F..%2Fetc', 404],
      ['/assets/..%2Findex.html', 404],
      ['/api/none', 404],
    ] as const) {
      expect((await ask(closed.url, path)).status, path).to.equal(status);
    }
  });

  it('shows what is private only where the project grants it', async () => {
    for (const part of [
      'conversation',
      'preludes',
      'execution-errors',
      'explicit-failure-values',
      'generated-sources',
      'result',
    ]) {
      const path = `/api/analysis/runs/${project.failed}/${part}`;
      const refused = await ask(closed.url, path);
      expect([refused.status, code(refused)], part).to.deep.equal([404, 'inspection_not_private']);
      expect((await ask(open.url, path)).status, part).to.equal(200);
    }
    const missing = await ask(open.url, '/api/analysis/runs/none/conversation');
    expect([missing.status, code(missing)]).to.deep.equal([404, 'not_found']);
    const everything = await Promise.all([
      ask(closed.url, '/api/kernel/runs'),
      ask(closed.url, `/api/kernel/runs/${project.good}`),
      ask(closed.url, `/api/kernel/runs/${project.good}/turns?limit=100`),
    ]);
    expect(everything.map(({ text }) => text).join()).not.to.match(/tickets\/breached\?|SVC_AGENT_PROMPT/);
  });

  it('sends every answer with a policy that admits its own scripts alone', async () => {
    for (const path of ['/', '/x', '/api/kernel/runs', '/api/none', '/api/repl']) {
      const { headers } = await ask(open.url, path);
      expect(headers['content-security-policy'], path).to.include("default-src 'self'").and.not.include('unsafe');
      expect(headers, path).to.include({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(headers, path).not.to.have.property('access-control-allow-origin');
    }
  });

  it('refuses names, pages and ports that are not its own', async () => {
    const { port } = new URL(open.url);
    for (const host of [`evil.example:${port}`, `127.0.0.1:${Number(port) + 1}`, 'localhost']) {
      for (const path of ['/', '/api/kernel/runs', '/api/live/stream', '/api/none'])
        expect((await ask(open.url, path, { headers: { host } })).status, `${host} ${path}`).to.equal(403);
    }
    expect(
      (await ask(open.url, '/api/kernel/refresh', { method: 'POST', headers: { origin: 'https://evil.example' } }))
        .status,
    ).to.equal(403);
    expect((await ask(open.url, '/api/kernel/refresh', { method: 'POST' })).status).to.equal(200);
    expect(
      (
        await ask(open.url, `/api/live/runs/${project.good}/inspect`, {
          method: 'POST',
          headers: { origin: `http://127.0.0.1:${port}` },
        })
      ).status,
    ).to.equal(403);
    expect((await ask(open.url, '/api/kernel/runs', { method: 'PUT' })).status).to.equal(405);
  });

  it('takes frames of runs, and no more of them than a frame may hold', async () => {
    const frame = (extra: object = {}): string =>
      JSON.stringify({ seq: 1, phase: 'running', elapsed_ms: 1, activity: [], ...extra });
    const acts = (most: number): readonly object[] =>
      Array.from({ length: most }, (_, t) => ({ t, kind: 'capability', name: 'n', status: 'start' }));
    const post = async (body: string): Promise<number> =>
      (await ask(open.url, '/api/live/runs/r-1', { method: 'POST', body })).status;
    expect(await post(frame())).to.equal(200);
    for (const body of [
      '',
      '[]',
      '{}',
      frame({ phase: 'odd' }),
      frame({ label: {} }),
      frame({ activity: [{}] }),
      frame({ activity: {} }),
      frame({ activity: acts(41) }),
      frame().slice(1),
    ])
      expect(await post(body), body.slice(0, 50)).to.equal(400);
    expect(await post(frame({ activity: acts(40) }))).to.equal(200);
    const fill = (bytes: number): string => frame({ pad: 'x'.repeat(bytes - frame({ pad: '' }).length) });
    expect(await post(fill(70_000))).to.equal(200);
    expect(await post(fill(70_001))).to.equal(413);
    const { text } = await ask(open.url, '/api/live/runs');
    expect(Object(JSON.parse(text)).runs).to.have.length(1);
  });

  it('tells what the project is, and starts it: one run at a time, which tells of itself', async () => {
    const facts = Object(JSON.parse((await ask(open.url, '/api/live/project')).text));
    expect(facts).to.include({ enabled: true, project: 'open.json', manifest: '02-domain-api/svc.json' });
    expect(facts.environments.map(({ name }: { name: string }) => name))
      .to.include('workflow')
      .and.have.length.greaterThan(1);
    expect(facts.limits.find(({ name }: { name: string }) => name === 'workflow_timeout_ms')).to.include.keys(
      'effective',
      'default',
      'ceiling',
    );
    const page = (await ask(open.url, '/')).text;
    const [, meta = ''] = /name="svc-viewer-config" content="([^"]+)"/.exec(page) ?? [];
    const nonce = String(Object(JSON.parse(Buffer.from(meta, 'base64url').toString())).live_mutation_nonce);
    const { origin } = new URL(open.url);
    const launch = async (
      body: string,
      headers: Record<string, string> = { origin, 'x-svc-viewer-live-nonce': nonce },
    ): Promise<RouteAnswer> => ask(open.url, '/api/live/launch', { method: 'POST', headers, body });
    expect((await launch(JSON.stringify({ input: facts.input }), { origin })).status).to.equal(403);
    expect(
      (
        await launch(JSON.stringify({ input: facts.input }), {
          origin: 'http://127.0.0.1:1',
          'x-svc-viewer-live-nonce': nonce,
        })
      ).status,
    ).to.equal(403);
    expect(code(await launch('{"input":[]}'))).to.equal('invalid_launch');
    expect(code(await launch(`{"input":{"pad":"${'x'.repeat(2_000_010)}"}}`))).to.equal('body_too_large');
    const state = async (): Promise<{ status: string; output_tail?: string }> =>
      Object(JSON.parse((await ask(open.url, '/api/live/launch')).text)).launch;
    expect((await state()).status).to.equal('idle');
    const [first, second] = [
      await launch(JSON.stringify({ input: facts.input })),
      await launch(JSON.stringify({ input: facts.input })),
    ];
    expect([first.status, second.status, code(second)]).to.deep.equal([202, 409, 'launch_running']);
    const ended = await until('the end of the run', async () => {
      const reported = await state();
      return reported.status === 'running' ? undefined : reported;
    });
    expect(ended, ended.output_tail).to.include({ status: 'ok' });
    const shownFrames: ShownFrame[] = Object(JSON.parse((await ask(open.url, '/api/live/runs')).text)).runs;
    const run = shownFrames.find(({ label }) => label === 'open.json');
    expect(run).to.include({ phase: 'ok' });
    // What its agent did (world.md §3.10): four turns, whose programs all came to an end.
    expect(run?.agents?.[0]).to.deep.include({ turn: 4, max_turns: 5, kind: 'tool-call' });
    expect(run?.programs?.map(({ outcome }) => outcome)).to.deep.equal([
      'returned',
      'continued',
      'evaluation_error',
      'continued',
    ]);
    expect(run?.programs?.at(-1)?.line).to.equal('(describe data/tickets)');
    expect(run?.usage).to.include({ model_calls: 4, subordinate_evaluations: 4 });
    expect(run?.usage?.tokens).to.be.above(1000);
    const id = run?.run_id ?? '';
    expect(
      (
        await ask(open.url, `/api/live/runs/${id}/inspect`, {
          method: 'POST',
          headers: { origin, 'x-svc-viewer-live-nonce': nonce },
        })
      ).status,
    ).to.equal(200);
  });

  it('names the project whose viewer has the port', async () => {
    const { port } = new URL(open.url);
    const ended = await runToEnd({ argv: ['viewer', project.closed, '--port', port], directory });
    expect(ended.status).to.equal(1);
    expect(ended.stderr).to.match(
      /^error: viewer\/viewer_port_in_use: port \d+ is occupied by the viewer of open\.json.*\(run_ref: cmd-\w+\)\n$/,
    );
  });

  it('needs a token beyond this machine, which leaves the address at once', async () => {
    const weak = await runToEnd({
      argv: ['viewer', project.open, '--listen', '0.0.0.0'],
      directory,
      environment: { SVC_VIEWER_TOKEN: 'x'.repeat(31) },
    });
    expect([weak.status, weak.stdout]).to.deep.equal([1, '']);
    const token = 'x'.repeat(32);
    const exposed = await serve(directory, [project.open, '--listen', '0.0.0.0'], { SVC_VIEWER_TOKEN: token });
    try {
      const at = exposed.url.replace('0.0.0.0', '127.0.0.1');
      expect(exposed.url).not.to.include(token);
      for (const path of ['/', '/api/kernel/runs', '/api/live/project', '/api/none', '/assets/x.js'])
        expect((await ask(at, path)).status, path).to.equal(403);
      const first = await ask(at, `/?live_token=${token}`);
      expect([first.status, first.headers['location']]).to.deep.equal([303, '/']);
      const [cookie = ''] = first.headers['set-cookie'] ?? [];
      expect(cookie).to.match(/; HttpOnly; SameSite=Strict; Path=\/$/);
      expect((await ask(at, '/', { headers: { cookie: cookie.split(';')[0] ?? '' } })).status).to.equal(200);
      expect((await ask(at, '/api/kernel/runs', { headers: { authorization: `Bearer ${token}` } })).status).to.equal(
        200,
      );
      expect((await ask(at, `/?live_token=${token}&live_token=${token}`)).status).to.equal(403);
    } finally {
      expect(await exposed.stop()).to.include({ status: 0 });
    }
  });

  it('wants a project that records traces, and shows one without runs', async () => {
    expect((await runToEnd({ argv: ['viewer', '02-domain-api/svc.json'], directory })).stderr).to.include(
      '"trace": true',
    );
    const fresh = makeWorkDirectory();
    try {
      await runToEnd({ argv: ['init', 'app'], directory: fresh });
      const viewer = await serve(fresh, ['app/svc-project.json', '--port', '0']);
      expect(Object(JSON.parse((await ask(viewer.url, '/api/kernel/runs')).text)).items).to.deep.equal([]);
      expect(await viewer.stop()).to.include({ status: 0, stderr: '' });
    } finally {
      removeWorkDirectory(fresh);
    }
  });
});
