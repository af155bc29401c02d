import { expect } from 'chai';
import type { ModelAction } from '../servers/llm/script.ts';
import { ModelRoom, REQUEST, MODEL_SECRET } from './room.ts';

const said = (status: number, message: string): ModelAction => ({ status, body: { error: { message } } });
const lineOf = (stderr: string): string | undefined => stderr.split('\n').find((line) => line.startsWith('provider '));

describe('what a vendor said of a failure (world.md §1.5)', () => {
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
  });
  afterEach(async () => room.close());

  const rows: readonly (readonly [title: string, action: ModelAction, line: string | RegExp])[] = [
    ['a status with words', said(400, 'no such parameter'), 'provider small: HTTP 400: no such parameter'],
    ['a status alone', { status: 500, body: '<html>' }, 'provider small: HTTP 500'],
    ['no credential', said(401, 'bad key {{credential}}'), 'provider small: HTTP 401: bad key [redacted]'],
    ['nothing that acts on a terminal', said(400, 'a\u001b[31mb\nc'), /^provider small: HTTP 400: a[^\u001b\n]*b/],
    ['512 characters at most', said(400, 'x'.repeat(2000)), /^provider small: HTTP 400: x{502}$/],
    ['an answer that is none', { fault: 'not_json' }, 'provider small: the answer is no JSON'],
    ['another server', { status: 200, body: { ok: 1 } }, 'provider small: the answer is JSON, but not that of a model'],
    ['plain text', { status: 503, body: 'starting' }, 'provider small: HTTP 503: starting'],
    ['no HTTP', { fault: 'garbage' }, 'provider small: the answer is no HTTP'],
    ['a reset', { fault: 'reset' }, 'provider small: connection closed before the answer was whole'],
  ];
  for (const [title, action, line] of rows) {
    it(`is below the failure line: ${title}`, async () => {
      await room.serve([{ times: 'any', action }]);
      const { status, stderr, envelope } = await room.run({ program: 'fail' });
      expect(status).to.equal(5);
      if (typeof line === 'string') expect(lineOf(stderr)).to.equal(line);
      else expect(lineOf(stderr)).to.match(line);
      const lines = stderr.split('\n');
      expect(lines.findIndex((each) => each.startsWith('provider '))).to.be.above(
        lines.findIndex((each) => each.startsWith('error: ')),
      );
      expect(JSON.stringify(envelope) + stderr).not.to.include(MODEL_SECRET);
      expect(JSON.stringify(envelope)).not.to.include('no such parameter');
    });
  }

  it('is the address where nobody listens, and the time where nobody answers', async () => {
    const { url } = await room.serve([]);
    const install = { small: room.model() };
    await room.server.close();
    const refused = await room.run({ program: 'fail', install });
    expect(lineOf(refused.stderr)).to.equal(`provider small: connection refused (${new URL(url).host})`);

    await room.serve([{ times: 'any', action: { fault: 'silent' } }]);
    const late = await room.run({
      program: 'fail',
      install: { small: room.model({ ceilings: { request_timeout_ms: 400 } }) },
    });
    expect(lineOf(late.stderr)).to.equal('provider small: no answer within 400 ms (request_timeout_ms)');
  });

  it('is not told of a private run', async () => {
    await room.serve([{ times: 'any', action: said(400, 'planted-words') }]);
    for (const end of ['(fail answer)', '(fail "no")']) {
      const { stderr, stdout } = await room.run({
        manifest: { events: { policy: 'private' } },
        files: {
          'main.clj': `(ns main) (defn run [input] (let [answer (tool/llm-request (:request input))] ${end}))`,
        },
        options: ['--private-output', 'result.json'],
      });
      expect(stderr + stdout).not.to.include('planted-words');
      expect(stderr)
        .to.match(/^error: /m)
        .and.not.match(/^note: |^provider /m);
    }
  });

  it('is shown by explain to whoever asks for what is private', async () => {
    await room.serve([{ times: 'any', action: said(400, 'no such parameter') }]);
    const project = {
      kind: 'svc-project',
      version: 1,
      application: { path: 'svc.json' },
      host: { path: 'svc-host.json' },
      artifacts: { root: '.svc', trace: true, inspection: true, envelope: true },
    };
    const { envelope } = await room.run({
      program: 'fail',
      files: { 'svc-project.json': JSON.stringify(project) },
      argv: ['run', 'svc-project.json'],
    });
    const runRef = String(envelope['run_ref']);
    const shown = async (...options: readonly string[]): Promise<string> =>
      (await room.command(['explain', runRef, ...options])).stdout;
    expect(await shown('--private-unattended')).to.match(/^provider +small: HTTP 400: no such parameter$/m);
    expect(await shown()).not.to.include('no such parameter');
  });

  it('is told by doctor', async () => {
    await room.serve([{ times: 'any', action: said(400, 'no such parameter') }]);
    const argv = ['doctor', 'svc.json', '--host-config', 'svc-host.json', '--connect'];
    const { stderr, envelope } = await room.run({ argv });
    expect(lineOf(stderr)).to.equal('provider small: HTTP 400: no such parameter');
    expect(JSON.stringify(envelope)).not.to.include('no such parameter');
  });

  it('a run that succeeds says how many calls failed', async () => {
    await room.serve([{ times: 'any', action: { fault: 'reset' } }]);
    const { status, stderr } = await room.run({ program: 'count', input: { request: REQUEST, times: 2 } });
    expect(status).to.equal(0);
    expect(stderr).to.include(
      'note: 2 calls of llm-request (alias small) failed and the run succeeded: provider_error/transport_error\n',
    );
  });

  const swallowing: readonly (readonly [title: string, body: string])[] = [
    ['fails with words of its own', '(fail {:kind :no-answer})'],
    ['reads a member of it as an answer', '(count-words (get-in answer [:value :content]))'],
  ];
  for (const [title, body] of swallowing)
    it(`is below the failure line of a workflow that catches the error and ${title}`, async () => {
      await room.serve([{ times: 'any', action: said(404, 'no such model') }]);
      const program = `(ns main)
        (defn count-words [text] (count (str/split text #" ")))
        (defn run [input] (let [answer (tool/llm-request (:request input))] ${body}))`;
      const { status, stderr, envelope } = await room.run({ files: { 'main.clj': program } });
      expect(status).to.equal(5);
      const lines = stderr.split('\n');
      expect(lines).to.include(
        'note: 1 call of llm-request (alias small) failed before the run did: provider_error/not_found',
      );
      expect(lineOf(stderr)).to.equal('provider small: HTTP 404: no such model');
      expect(lines.findIndex((each) => each.startsWith('provider '))).to.be.above(
        lines.findIndex((each) => each.startsWith('error: ')),
      );
      expect(JSON.stringify(envelope)).not.to.include('no such model');
    });

  it('llm/request! fails with the answer', async () => {
    await room.serve([{ action: said(403, 'not for you') }]);
    const { status, stderr } = await room.run({
      manifest: {
        workflow: {
          components: [{ library: 'llm' }, { id: 'main', path: 'main.clj', dependencies: ['llm'] }],
          entry: 'main/run',
        },
      },
      files: { 'main.clj': '(ns main) (defn run [input] (llm/request! (:request input)))' },
    });
    expect(status).to.equal(5);
    expect(lineOf(stderr)).to.equal('provider small: HTTP 403: not for you');
  });
});
