import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { until } from '../../../conformance/until.ts';
import { serve, type ServedViewer } from './viewer.ts';

interface ReplAnswer {
  readonly status: number;
  readonly code: unknown;
  readonly session: unknown;
  /** The JSON of the body; any shape. */
  readonly body: ReturnType<typeof Object>;
}

type Headers = Readonly<Record<string, string>>;

async function ask(
  url: string,
  method: string,
  path: string,
  {
    headers = {},
    body,
    leaves,
  }: { readonly headers?: Headers; readonly body?: string; readonly leaves?: AbortSignal } = {},
): Promise<ReplAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, url),
      { method, headers, agent: false, ...(leaves === undefined ? {} : { signal: leaves }) },
      (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => {
            text += part;
          })
          .on('error', reject)
          .on('end', () => {
            const reported = Object(JSON.parse(text));
            resolve({
              status: response.statusCode ?? 0,
              code: reported.error?.code,
              session: response.headers['x-svc-viewer-session'],
              body: reported,
            });
          });
      },
    );
    sent.on('error', reject).end(body);
  });
}

/** What a page of a viewer knows: the nonces, and the session that it saw last. */
interface Page {
  readonly read: Headers;
  change(): Headers;
  boot(): Promise<ReplAnswer>;
  post(path: string, body: unknown, input?: Headers): Promise<ReplAnswer>;
}

async function pageOf(url: string): Promise<Page> {
  const { origin } = new URL(url);
  const html = await (await fetch(url)).text();
  const [, meta = ''] = /name="svc-viewer-config" content="([^"]+)"/.exec(html) ?? [];
  const reported = Object(JSON.parse(Buffer.from(meta, 'base64url').toString()));
  const read = { 'sec-fetch-site': 'same-origin', 'x-svc-viewer-page-nonce': String(reported.page_bootstrap_nonce) };
  let [nonce, session] = ['', ''];
  const seen = (answer: ReplAnswer): ReplAnswer => {
    if (answer.status === 200) [nonce, session] = [answer.body.mutation_nonce, answer.body.session_id];
    return answer;
  };
  const change = (): Headers => ({
    origin,
    'x-svc-viewer-nonce': nonce,
    'x-svc-viewer-session': session,
    'content-type': 'application/json',
  });
  return {
    read,
    change,
    boot: async () => seen(await ask(url, 'GET', '/api/repl', { headers: read })),
    post: async (path, body, input = {}) =>
      seen(
        await ask(url, 'POST', `/api/repl${path}`, {
          headers: { ...change(), ...input },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
  };
}

function without(headers: Headers, name: string): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([input]) => input !== name));
}

describe('the session of svc viewer over its routes (evidence.md §11, REPL)', () => {
  let directory: string;
  let viewer: ServedViewer;
  let page: Page;
  before(async () => {
    directory = makeWorkDirectory();
    const write = (name: string, content: unknown): void => {
      writeFileSync(join(directory, name), JSON.stringify(content));
    };
    writeFileSync(join(directory, 'main.clj'), '(ns main)\n(defn run [input] 1)\n');
    write('svc.json', {
      version: 1,
      workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
      input: { value: {} },
    });
    const project = { kind: 'svc-project', version: 1, application: { path: 'svc.json' } };
    write('project.json', {
      ...project,
      artifacts: { root: '.svc', trace: true },
      viewer: { repl: true, private: true },
    });
    write('off.json', { ...project, artifacts: { root: '.svc', trace: true } });
    write('hidden.json', {
      ...project,
      artifacts: { root: '.hidden', trace: true },
      viewer: { repl: true, private: true },
    });
    for (const name of ['project.json', 'hidden.json']) {
      const ended = await runToEnd({ argv: ['run', name], directory });
      expect(ended.status, ended.stderr).to.equal(0);
    }
    viewer = await serve(directory, ['project.json']);
    page = await pageOf(viewer.url);
  });
  after(async () => {
    await viewer?.stop();
    removeWorkDirectory(directory);
  });

  it('is read by the page of this process alone, and opens nothing by that', async () => {
    const { port } = new URL(viewer.url);
    for (const name of Object.keys(page.read))
      expect((await ask(viewer.url, 'GET', '/api/repl', { headers: without(page.read, name) })).code, name).to.equal(
        'forbidden_request',
      );
    for (const [name, value] of [
      ['sec-fetch-site', 'same-site'],
      ['sec-fetch-site', 'cross-site'],
      ['sec-fetch-site', 'none'],
      ['x-svc-viewer-page-nonce', 'x'],
      ['host', `[::1]:${port}`],
      ['host', `evil.example:${port}`],
      ['host', 'localhost'],
    ] as const) {
      expect(
        (await ask(viewer.url, 'GET', '/api/repl', { headers: { ...page.read, [name]: value } })).status,
        `${name} ${value}`,
      ).to.equal(403);
    }
    const first = await page.boot();
    expect([first.status, first.session === first.body.session_id]).to.deep.equal([200, true]);
    expect(first.body).to.deep.include({
      lifecycle: 'never_started',
      session: null,
      transcript: [],
      transcript_omitted_count: 0,
      runs: { public: 1, private: 0 },
    });
    expect((await page.boot()).body).to.deep.equal(first.body);
  });

  it('is changed only with nonce, origin and session, whatever is asked', async () => {
    const { origin } = new URL(viewer.url);
    for (const [method, path, body] of [
      ['POST', '/evaluations', '{"source":"1"}'],
      ['POST', '/names', '{}'],
      ['POST', '/templates', '{"kind":"run","run_id":"r"}'],
      ['POST', '/reset', '{}'],
      ['DELETE', '', undefined],
    ] as const) {
      const sent = async (headers: Headers): Promise<readonly [number, unknown]> => {
        const replAnswer = await ask(viewer.url, method, `/api/repl${path}`, {
          headers,
          ...(body === undefined ? {} : { body }),
        });
        return [replAnswer.status, replAnswer.code];
      };
      const whole = page.change();
      const label = `${method} ${path}`;
      for (const name of ['origin', 'x-svc-viewer-nonce'])
        expect(await sent(without(whole, name)), `${label} ${name}`).to.deep.equal([403, 'forbidden_request']);
      for (const [name, value] of [
        ['origin', 'null'],
        ['origin', `${origin}0`],
        ['origin', 'https://evil.example'],
        ['x-svc-viewer-nonce', page.read['x-svc-viewer-page-nonce'] ?? ''],
        ['host', 'evil.example'],
      ] as const)
        expect(await sent({ ...whole, [name]: value }), `${label} ${name}`).to.deep.equal([403, 'forbidden_request']);
      expect(await sent(without(whole, 'x-svc-viewer-session')), label).to.deep.equal([
        428,
        'session_precondition_required',
      ]);
      expect(await sent({ ...whole, 'x-svc-viewer-session': 'other' }), label).to.deep.equal([412, 'session_changed']);
      if (method === 'POST')
        expect(await sent({ ...whole, 'content-type': 'text/plain' }), label).to.deep.equal([
          415,
          'unsupported_media_type',
        ]);
    }
    expect(
      (
        await ask(viewer.url, 'DELETE', '/api/repl', {
          headers: { ...page.change(), 'content-length': '2' },
          body: '{}',
        })
      ).code,
    ).to.equal('delete_body_not_allowed');
    expect((await page.boot()).body.lifecycle).to.equal('never_started');
    for (const method of ['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'GET']) {
      const sent = request(new URL('/api/repl/evaluations', viewer.url), {
        method,
        headers: page.change(),
        agent: false,
      });
      const status = await new Promise((resolve, reject) => {
        sent
          .on('response', (response) => {
            resolve(response.resume().statusCode);
          })
          .on('error', reject)
          .end();
      });
      expect(status, method).to.equal(405);
    }
  });

  it('takes what a change may hold, and not a byte more', async () => {
    const refusals: readonly (readonly [path: string, body: unknown, status: number, code: string])[] = [
      ['/evaluations', '{', 400, 'invalid_json'],
      ['/evaluations', '', 400, 'invalid_json'],
      ['/evaluations', '{"source":"1","source":"2"}', 400, 'invalid_json'],
      ['/evaluations', '[]', 400, 'invalid_request'],
      ['/evaluations', {}, 400, 'invalid_request'],
      ['/evaluations', { source: 1 }, 400, 'invalid_request'],
      ['/evaluations', { source: ' \n' }, 400, 'invalid_request'],
      ['/evaluations', { source: '1', project: 'x' }, 400, 'invalid_request'],
      ['/evaluations', { source: `"${'x'.repeat(65_535)}"` }, 413, 'source_too_large'],
      ['/evaluations', { source: 'x'.repeat(70_001 - 13) }, 413, 'body_too_large'],
      ['/names', { a: 1 }, 400, 'invalid_request'],
      ['/reset', { a: 1 }, 400, 'invalid_request'],
      ['/reset', '', 400, 'invalid_json'],
      ['/templates', {}, 400, 'invalid_request'],
      ['/templates', { kind: 'other', run_id: 'r' }, 400, 'invalid_request'],
      ['/templates', { kind: 'run', run_id: '")(tool/x' }, 400, 'invalid_request'],
      ['/templates', { kind: 'run', run_id: 'none' }, 400, 'invalid_request'],
    ];
    for (const [path, body, status, code] of refusals) {
      const replAnswer = await page.post(path, body);
      expect([replAnswer.status, replAnswer.code], `${path} ${JSON.stringify(body).slice(0, 60)}`).to.deep.equal([
        status,
        code,
      ]);
    }
    for (const bytes of [65_534, 65_536])
      expect(
        (await page.post('/evaluations', { source: `"${'x'.repeat(bytes - 2)}"` })).body.evaluation,
        `${bytes}`,
      ).to.include({ status: 'ok', 'formatted_truncated?': true });
    const padded = `{"source":"1"${' '.repeat(70_000 - 14)}}`;
    expect([Buffer.byteLength(padded), (await page.post('/evaluations', padded)).status]).to.deep.equal([70_000, 200]);
  });

  it('evaluates over the captured runs, and tells what it used', async () => {
    const { body } = await page.post('/evaluations', { source: '(count (get (analysis/runs {}) "items"))' });
    expect(body.evaluation).to.include({
      status: 'ok',
      value: 1,
      formatted: '1',
      outcome: 'continued',
      continuation_effect: 'committed_with_history',
    });
    expect(body.session).to.deep.include({
      profile_id: 'run-analysis-v1',
      namespaces: ['analysis', 'cap'],
      snapshot: { traces: { file_count: 1, run_count: 1 } },
      terminal_reason: null,
    });
    expect(body.session.usage.capability_calls).to.equal(1);
    const failed = await page.post('/evaluations', { source: '(+ 1\n  nothing)' });
    expect(failed.body.evaluation.error).to.include({ kind: 'unbound_var', line: 2, column: 3 });
    const {
      body: { names },
    } = await page.post('/names', {});
    expect(names).to.include('analysis/runs').and.include('map');
  });

  it('reads public traces alone, and no file', async () => {
    for (const source of [
      '(tool/analysis-catalog {})',
      '(tool/svc-read {})',
      '(slurp "/etc/passwd")',
      '(analysis/read (get (first (get (analysis/runs {}) "items")) "run_id") {"collection" "turns"})',
    ]) {
      expect((await page.post('/evaluations', { source })).body.evaluation.status, source).to.equal('error');
    }
  });

  it('does one thing at a time, and gives up a form whose page is gone', async () => {
    const leaving = new AbortController();
    const [before, headers] = [(await page.boot()).body.transcript.length, page.change()];
    const closed = ask(viewer.url, 'POST', '/api/repl/evaluations', {
      headers,
      body: '{"source":"(loop [] (recur))"}',
      leaves: leaving.signal,
    }).catch(() => 'gone');
    await until('the form', async () => ((await page.boot()).body.lifecycle === 'evaluating' ? true : undefined));
    for (const [path, body] of [
      ['/evaluations', { source: '1' }],
      ['/names', {}],
      ['/reset', {}],
    ] as const)
      expect((await page.post(path, body)).code, path).to.equal('operation_active');
    leaving.abort();
    expect(await closed).to.equal('gone');
    const ended = await until('its end', async () => {
      const { body } = await page.boot();
      return body.lifecycle === 'open' ? body : undefined;
    });
    expect(ended.transcript).to.have.length(before + 1);
    expect(ended.transcript.at(-1).evaluation.error.kind).to.equal('interrupted');
  });

  it('writes a form about a run that it captured, and says when it was captured later', async () => {
    const [{ run_id: id }] = Object(await (await fetch(new URL('/api/kernel/runs', viewer.url))).json()).items;
    expect((await page.post('/templates', { kind: 'run', run_id: id })).body.template).to.deep.equal({
      source: `(analysis/open "${id}")`,
    });
    expect((await page.post('/templates', { kind: 'turns', run_id: id })).body.template.source).to.include(
      `(analysis/read "${id}"`,
    );
    const ended = await runToEnd({ argv: ['run', 'project.json'], directory });
    expect(ended.status).to.equal(0);
    await fetch(new URL('/api/kernel/refresh', viewer.url), { method: 'POST' });
    const [{ run_id: later }] = Object(await (await fetch(new URL('/api/kernel/runs', viewer.url))).json()).items;
    const refused = await page.post('/templates', { kind: 'run', run_id: later });
    expect([refused.status, refused.code]).to.deep.equal([409, 'trace_changed']);
    const { body } = await page.post('/reset', {});
    expect([
      body.lifecycle,
      body.session.snapshot.traces.run_count,
      body.generation_sequence,
      body.transcript,
    ]).to.deep.equal(['open', 2, 2, []]);
    expect(readFileSync(String(body.last_trace_path), 'utf8')).to.match(
      /"type":"run-started"[\s\S]*"type":"run-stopped"/,
    );
    const {
      body: {
        template: { source },
      },
    } = await page.post('/templates', { kind: 'run', run_id: later });
    expect((await page.post('/evaluations', { source })).body.evaluation.status).to.equal('ok');
  });

  it('has 64 forms, and then begins anew', async () => {
    await page.post('/reset', {});
    for (let n = 1; n <= 64; n += 1) {
      const { body } = await page.post('/evaluations', { source: `${n}` });
      expect([body.evaluation.status, body.lifecycle], `${n}`).to.deep.equal(['ok', 'open']);
    }
    const { body } = await page.post('/evaluations', { source: '65' });
    expect([
      body.evaluation.error.kind,
      body.lifecycle,
      body.session.terminal_reason,
      body.session.trace,
    ]).to.deep.equal(['runtime_limit_exceeded', 'terminal', 'runtime_limit_exceeded', { 'written?': true }]);
    expect([body.transcript.length, body.transcript_omitted_count]).to.deep.equal([64, 1]);
    expect((await page.post('/evaluations', { source: '1' })).code).to.equal('session_terminal');
    expect((await page.post('/reset', {})).status).to.equal(200);
    const closed = await ask(viewer.url, 'DELETE', '/api/repl', { headers: without(page.change(), 'content-type') });
    expect([closed.status, closed.body.lifecycle]).to.deep.equal([200, 'closed']);
    expect((await page.post('/evaluations', { source: '1' })).code).to.equal('session_closed');
  });

  it('is not there without viewer.repl', async () => {
    const off = await serve(directory, ['off.json']);
    try {
      const bare = await pageOf(off.url);
      expect(bare.read['x-svc-viewer-page-nonce']).to.equal('undefined');
      expect((await bare.boot()).status).to.equal(403);
    } finally {
      await off.stop();
    }
  });

  it('explains that there are private runs alone, and ends with its viewer whatever it does', async () => {
    const traces = join(directory, '.hidden/traces');
    const [{ run_id: id }] = await (async () => {
      const seen = await serve(directory, ['hidden.json']);
      const { items } = Object(await (await fetch(new URL('/api/kernel/runs', seen.url))).json());
      await seen.stop();
      return items;
    })();
    renameSync(join(traces, `${id}.jsonl`), join(traces, `${id}.private.jsonl`));
    const hidden = await serve(directory, ['hidden.json']);
    const shown = await pageOf(hidden.url);
    expect((await shown.boot()).body.runs).to.deep.equal({ public: 0, private: 1 });
    const refused = await shown.post('/evaluations', { source: '1' });
    expect([refused.status, refused.code]).to.deep.equal([503, 'trace_unavailable']);
    expect((await shown.post('/templates', { kind: 'run', run_id: id })).code).to.equal('unsupported_trace');
    expect((await shown.boot()).body.lifecycle).to.equal('never_started');
    expect(await hidden.stop()).to.include({ status: 0, stderr: '' });
    const busy = await serve(directory, ['project.json']);
    const asking = await pageOf(busy.url);
    await asking.boot();
    const cut = ask(busy.url, 'POST', '/api/repl/evaluations', {
      headers: asking.change(),
      body: '{"source":"(loop [] (recur))"}',
    }).catch(() => 'cut');
    await until('the form', async () => ((await asking.boot()).body.lifecycle === 'evaluating' ? true : undefined));
    expect(await busy.stop()).to.include({ status: 0, stderr: '' });
    expect(await cut).to.equal('cut');
  });
});
