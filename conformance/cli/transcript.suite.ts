import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { validEnvelope } from './envelope-check.ts';
import type { Ended } from './program.ts';
import { runResident } from './resident/resident.ts';
import { makeWorkDirectory, removeWorkDirectory } from './work-directory.ts';

const TREE = 'support-triage';
const STEP = '02-domain-api';
const OTHER_RUN = 'cmd-00000000000000000000000000';

interface Turn {
  readonly turn: number;
  readonly system?: string;
  readonly request_hash: string;
  readonly generated: readonly { readonly evaluation_id: string }[];
}
interface Document {
  readonly schema_version: number;
  readonly run_id: string;
  readonly complete_scope: string;
  readonly conversation: {
    readonly 'complete?': boolean;
    readonly streams: readonly { readonly turns: readonly Turn[] }[];
  };
}

/** An agent at work with recorded answers, once for all cases: its trace and its inspection are copied for each. */
describe('svc transcript (cli.md §10, evidence.md §9)', () => {
  let stored: string;
  let runId: string;
  let directory: string;

  before(async () => {
    stored = makeWorkDirectory();
    const svc = (...argv: readonly string[]): Promise<Ended> =>
      runResident({ argv, directory: stored, environment: { OPENROUTER_API_KEY: 'none' } });
    expect(await svc('init', TREE, '--example', TREE)).to.include({ status: 0 });
    mkdirSync(join(stored, 'traces'));
    expect(
      await svc(
        'run',
        `${TREE}/${STEP}.svc-project.json`,
        '--host-config',
        `${TREE}/${STEP}/svc-host.replay.json`,
        '--trace-dir',
        'traces',
        '--inspect',
        'run.svcins',
      ),
    ).to.include({ status: 0 });
    runId = readdirSync(join(stored, 'traces'))[0]?.replace('.jsonl', '') ?? '';
  });
  after(() => removeWorkDirectory(stored));

  beforeEach(() => {
    directory = makeWorkDirectory({ traces: null, inspection: null, private: null });
    copyFileSync(join(stored, 'traces', `${runId}.jsonl`), trace());
    copyFileSync(join(stored, 'run.svcins'), inspection());
    for (const file of [trace(), inspection()]) chmodSync(file, 0o600);
  });
  afterEach(() => removeWorkDirectory(directory));

  const at = (path: string): string => join(directory, path);
  const trace = (): string => at(`traces/${runId}.jsonl`);
  const inspection = (): string => at(`inspection/${runId}.svcins`);
  const svc = (...argv: readonly string[]): Promise<Ended> => runResident({ argv, directory });
  const transcript = ({
    run = runId,
    traces = 'traces',
    from = ['--inspection', 'inspection'],
    output = 'private/t.json',
  } = {}): Promise<Ended> =>
    svc('transcript', run, '--traces', traces, ...from, '--private-unattended', '--private-output', output);
  const left = (): readonly string[] => readdirSync(at('private'));

  async function refusal(requested: Promise<Ended>, ...words: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await requested;
    expect(stdout).to.equal('');
    expect(left(), 'nothing is left').to.deep.equal([]);
    expect(stderr, 'neither the run nor a path is named').to.not.contain(runId).and.to.not.contain(directory);
    for (const word of words) expect(stderr).to.contain(word);
    return `${/^error: \w+\/(\w+)/m.exec(stderr)?.[1] ?? stderr} ${String(status)}`;
  }

  it('says what a person was asked, who decided, and how long that took (approvals.md §10)', async () => {
    expect(await svc('init', 'refunds', '--example', 'refund-approvals')).to.include({ status: 0 });
    mkdirSync(at('asked'));
    const words = ['--approve-writes', '--trace-dir', '../asked', '--inspect', '../inspection/asked.svcins'];
    expect(await runResident({ argv: ['run', 'svc-project.json', ...words], directory: at('refunds') })).to.include({
      status: 0,
    });
    const [name = ''] = readdirSync(at('asked'));
    const run = name.replace('.private', '').replace('.jsonl', '');
    renameSync(at('inspection/asked.svcins'), at(`inspection/${run}.svcins`));
    expect(await transcript({ run, traces: 'asked' })).to.include({ status: 0, stderr: '' });
    const { approvals } = JSON.parse(readFileSync(at('private/t.json'), 'utf8'));
    expect(approvals).to.have.length(3);
    for (const requested of approvals) {
      expect(requested).to.include({ effect: 'write', decision: 'allowed', by: 'flag' });
      expect(requested.asked_at).to.match(/^\d{4}-\d\d-\d\dT/);
      expect(requested.waited_ms).to.be.a('number');
      expect(requested.approval_id).to.match(/^apr-[0-9a-z]{26}$/);
    }
  });

  it('writes every turn of the conversation, for its owner alone', async () => {
    const { status, stdout, stderr } = await transcript();
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    const text = readFileSync(at('private/t.json'), 'utf8');
    const document: Document = JSON.parse(text);
    const turns = document.conversation.streams.flatMap((stream) => stream.turns);
    expect(stdout).to.equal(
      `${JSON.stringify({ command: 'transcript', path: at('private/t.json'), run_ref: runId, turns: turns.length })}\n`,
    );
    expect(document).to.include({ schema_version: 2, run_id: runId, complete_scope: 'model_conversation' });
    expect(document).not.to.have.property('approvals');
    expect(document.conversation['complete?']).to.equal(true);
    expect(turns.length).to.be.greaterThan(1);
    expect(turns.map(({ turn }) => turn)).to.deep.equal(turns.map((_, index) => index + 1));
    expect(
      turns.map(({ system }) => system !== undefined),
      'said once',
    ).to.deep.equal(turns.map((_, index) => index === 0));
    expect(
      turns.every(({ generated }) => generated.length === 1),
      'each answer brought a program',
    ).to.equal(true);
    const recorded = readFileSync(join(stored, TREE, STEP, 'replay.jsonl'), 'utf8');
    for (const { request_hash: hash } of turns) expect(recorded, 'the hash of a replay fixture').to.contain(hash);
    expect(statSync(at('private/t.json')).mode & 0o777).to.equal(0o600);
    expect(text.endsWith('}\n')).to.equal(true);
    expect(left()).to.deep.equal(['t.json']);
  });

  it('is told by an envelope, and the same from one inspection file', async () => {
    await transcript();
    mkdirSync(at('elsewhere'));
    renameSync(inspection(), at('elsewhere/any name.svcins'));
    const { status, stdout } = await svc(
      '--json',
      'transcript',
      runId,
      '--traces',
      'traces/',
      '--inspection-file',
      'elsewhere/any name.svcins',
      '--private-unattended',
      '--private-output',
      'private/u.json',
      '--envelope',
      'envelope.json',
    );
    expect(status).to.equal(0);
    expect(validEnvelope(stdout)).to.deep.include({ command: 'transcript', status: 'ok' });
    expect(validEnvelope(readFileSync(at('envelope.json'), 'utf8'))).to.deep.include({
      command: 'transcript',
      status: 'ok',
    });
    expect(readFileSync(at('private/u.json'), 'utf8')).to.equal(readFileSync(at('private/t.json'), 'utf8'));
  });

  it('reads a private trace', async () => {
    renameSync(trace(), at(`traces/${runId}.private.jsonl`));
    expect(await transcript()).to.include({ status: 0 });
  });

  it('of two at once for one name, writes one', async () => {
    const ends = await Promise.all([transcript(), transcript()]);
    expect(ends.map(({ status }) => status)).to.have.members([0, 7]);
    expect(left()).to.deep.equal(['t.json']);
  });

  describe('refuses an output', () => {
    it('that exists', async () => {
      writeFileSync(at('private/t.json'), 'mine');
      const { status, stderr } = await transcript();
      expect(status).to.equal(7);
      expect(stderr).to.match(/^error: destination\/destination_exists: /);
      expect(readFileSync(at('private/t.json'), 'utf8')).to.equal('mine');
    });
    it('without a parent', async () =>
      expect(await refusal(transcript({ output: 'none/t.json' }))).to.equal('result_directory_missing 7'));
    it('below a directory that others can change', async () => {
      chmodSync(at('private'), 0o777);
      const { status, stdout, stderr } = await transcript();
      expect({ status, stdout, left: left() }).to.deep.equal({ status: 7, stdout: '', left: [] });
      expect(stderr)
        .to.match(/^error: destination\/result_destination_unsafe: /)
        .and.to.contain(`${at('private')} (owner `)
        .and.to.not.contain(runId);
    });
    it('behind a link', async () => {
      symlinkSync('private', at('link'));
      expect(await refusal(transcript({ output: 'link/t.json' }), 'a link stands on the way')).to.equal(
        'result_destination_unsafe 7',
      );
    });
  });

  const APART: readonly (readonly [string, Parameters<typeof transcript>[0], string])[] = [
    ['the output among the traces', { output: 'traces/t.json' }, '--private-output is the same directory as --traces'],
    ['the output around the traces', { output: 't.json' }, '--private-output lies around --traces'],
    [
      'the output inside the inspection',
      { output: 'inspection/in/t.json' },
      '--private-output lies inside --inspection',
    ],
    [
      'the inspection around the traces',
      { traces: 'inspection/in', from: ['--inspection', 'inspection'] },
      '--traces lies inside --inspection',
    ],
  ];
  for (const [title, changes, words] of APART) {
    it(`refuses ${title}`, async () => {
      mkdirSync(at('inspection/in'));
      expect(await refusal(transcript(changes), words)).to.equal('invalid_destination 7');
    });
  }

  it('tells directories apart by what they are, not by their names', async () => {
    expect(await refusal(transcript({ output: 'private/../traces/t.json' }), 'is the same directory as')).to.equal(
      'invalid_destination 7',
    );
  });

  describe('refuses sources', () => {
    it('that are not there, or lie behind a link', async () => {
      symlinkSync('traces', at('link'));
      expect(await refusal(transcript({ traces: 'none' }))).to.equal('reference_missing 3');
      expect(await refusal(transcript({ traces: 'link' }))).to.equal('reference_missing 3');
      expect(await refusal(transcript({ from: ['--inspection', 'none'] }))).to.equal('reference_missing 3');
      expect(
        await refusal(transcript({ from: ['--inspection-file', 'inspection/none.svcins'] }), 'inspection_not_found'),
      ).to.equal('reference_missing 3');
      expect(await refusal(transcript({ run: OTHER_RUN }), 'run_not_found', '.private.jsonl')).to.equal(
        'reference_missing 3',
      );
    });
    it('that are no regular files', async () => {
      rmSync(trace());
      execFileSync('mkfifo', [trace()]);
      expect(await refusal(transcript())).to.equal('reference_missing 3');
      rmSync(trace());
      symlinkSync(join(stored, 'traces', `${runId}.jsonl`), trace());
      expect(await refusal(transcript())).to.equal('reference_missing 3');
    });
    it('of which there are two', async () => {
      copyFileSync(trace(), at(`traces/${runId}.private.jsonl`));
      expect(await refusal(transcript(), 'ambiguous')).to.equal('result_invalid 7');
    });
    it('of another run', async () => {
      const text = readFileSync(trace(), 'utf8');
      writeFileSync(at(`traces/${OTHER_RUN}.jsonl`), text.replaceAll(runId, OTHER_RUN));
      expect(
        await refusal(
          transcript({ run: OTHER_RUN, from: ['--inspection-file', `inspection/${runId}.svcins`] }),
          'inspection_correlation_missing',
        ),
      ).to.equal('result_invalid 7');
      writeFileSync(trace(), text.replaceAll(runId, OTHER_RUN));
      expect(await refusal(transcript())).to.equal('result_invalid 7');
    });
    it('of a run that has not ended', async () => {
      const lines = readFileSync(trace(), 'utf8').trimEnd().split('\n');
      writeFileSync(trace(), `${lines.slice(0, -1).join('\n')}\n`);
      expect(await refusal(transcript())).to.equal('result_invalid 7');
    });
    it('that are too large', async () => {
      truncateSync(trace(), 8_000_001);
      expect(await refusal(transcript(), 'the trace is too large')).to.equal('result_limit_exceeded 7');
      copyFileSync(join(stored, 'traces', `${runId}.jsonl`), trace());
      truncateSync(inspection(), 536_870_913);
      expect(await refusal(transcript(), 'the inspection is too large')).to.equal('result_limit_exceeded 7');
    });
    it('that are empty', async () => {
      for (const file of [trace(), inspection()]) {
        const bytes = readFileSync(file);
        truncateSync(file, 0);
        expect(await refusal(transcript())).to.equal('result_invalid 7');
        writeFileSync(file, bytes);
      }
    });
    it('whose bytes were changed, wherever', async () => {
      const bytes = readFileSync(inspection());
      for (let part = 0; part < 8; part += 1) {
        const position = Math.floor((bytes.length * (part + 0.5)) / 8);
        const changed = Buffer.from(bytes);
        changed[position] = (changed[position] ?? 0) ^ 1;
        writeFileSync(inspection(), changed);
        expect(await refusal(transcript()), `byte ${String(position)}`).to.equal('result_invalid 7');
      }
    });
  });
});
