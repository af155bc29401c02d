import { readFile } from 'node:fs/promises';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { REFUSAL, writeModelRuns, THOUGHT, type ModelRuns } from './model-runs.ts';
import { serve, type ServedViewer } from './viewer.ts';

const WORDS = 'HTTP 429: slow <b>down</b>';

describe('what a model thought, and how often it was asked (world.md §1.2, §1.4, §1.5)', () => {
  let work: string;
  let shown: ModelRuns;
  before(async () => {
    work = makeWorkDirectory();
    shown = await writeModelRuns(work);
  });
  after(() => removeWorkDirectory(work));

  /** Attempts of the retried call with what its waits were in the place of their lengths. */
  function expectRetried(turn: unknown): void {
    expect(turn).to.have.property('reasoning', THOUGHT);
    expect(turn).to.have.nested.property('assistant.content', 'three');
    expect(turn).to.have.property('attempts').that.has.length(3);
    for (const [at, attempt] of [
      [0, { attempt: 1, outcome: 'rate_limited', http_status: 429, said: WORDS }],
      [1, { attempt: 2, outcome: 'rate_limited', http_status: 429, said: WORDS }],
      [2, { attempt: 3, outcome: 'ok', http_status: 200 }],
    ] as const) {
      expect(turn).to.have.deep.nested.property(`attempts[${at}]`).that.includes(attempt);
      expect(turn).to.have.nested.property(`attempts[${at}].waited_ms`).that.is.a('number');
    }
    expect(turn).to.have.nested.property('attempts[1].waited_ms').that.is.above(0);
    expect(turn).not.to.have.nested.property('attempts[2].said');
  }

  async function transcriptOf(runRef: string): Promise<unknown> {
    const output = join(work, `out-${runRef}`);
    mkdirSync(output);
    const { status, stderr } = await runToEnd({
      argv: [
        'transcript',
        runRef,
        '--traces',
        '.svc/traces',
        '--inspection',
        '.svc/inspection',
        '--private-unattended',
        '--private-output',
        join(output, 'transcript.json'),
      ],
      directory: shown.directory,
    });
    expect(stderr).to.equal('');
    expect(status).to.equal(0);
    const transcript: unknown = JSON.parse(await readFile(join(output, 'transcript.json'), 'utf8'));
    return transcript;
  }

  it('stands in the transcript', async () => {
    expect(await transcriptOf(shown.retried))
      .to.have.nested.property('conversation.streams[0].turns[0]')
      .satisfies((turn: unknown) => {
        expectRetried(turn);
        return true;
      });
    const refused = await transcriptOf(shown.refused);
    expect(refused).to.have.deep.nested.property('conversation.streams[0].turns[0].attempts').that.has.length(1);
    expect(refused)
      .to.have.deep.nested.property('conversation.streams[0].turns[0].attempts[0]')
      .that.includes({ attempt: 1, outcome: 'invalid_request', http_status: 400, said: `HTTP 400: ${REFUSAL}` });
    expect(refused).not.to.have.nested.property('conversation.streams[0].turns[0].reasoning');
  });

  describe('in the viewer', () => {
    let open: ServedViewer;
    let closed: ServedViewer;
    before(async () => {
      [open, closed] = await Promise.all([
        serve(shown.directory, [shown.open]),
        serve(shown.directory, [shown.closed]),
      ]);
    });
    after(async () => {
      await Promise.all([open?.stop(), closed?.stop()]);
    });

    it('is in the conversation where the project shows what is private', async () => {
      const path = `/api/analysis/runs/${shown.retried}/conversation`;
      const answered: unknown = await (await fetch(new URL(path, open.url))).json();
      expect(answered)
        .to.have.nested.property('streams[0].turns[0]')
        .satisfies((turn: unknown) => {
          expectRetried(turn);
          return true;
        });
      expect((await fetch(new URL(path, closed.url))).status).to.equal(404);
    });

    it('is in no answer without that grant', async () => {
      for (const path of [
        '/api/kernel/runs',
        `/api/kernel/runs/${shown.retried}`,
        `/api/kernel/runs/${shown.retried}/turns?limit=100`,
        `/api/kernel/runs/${shown.refused}/turns?limit=100`,
      ])
        expect(await (await fetch(new URL(path, closed.url))).text()).not.to.match(/slow <b>down|I <b>count|top_z/);
    });
  });
});
