import { expect } from 'chai';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelRoom, REQUEST } from './room.ts';

const OTHER = { messages: [{ role: 'user', content: 'good evening' }] };
const REPLAY = { small: { source: 'llm_replay', installation_revision: 'r1', fixtures: 'replay.jsonl' } };
const RECORD = ['fixtures', 'record', '--inspection', 'run.svcins', '--out', 'replay.jsonl'];
const HASH = /sha256:[0-9a-f]{64}/g;

describe('fixtures recorded from a run (providers.md §6)', () => {
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
    await room.serve([
      {
        match: { lastContains: 'evening' },
        action: { answer: { text: 'and to you', usage: { input: 3, output: 2 } } },
      },
      { action: { status: 429, body: { error: { message: 'slow down' } } } },
      { action: { answer: { text: 'first', usage: { input: 9, output: 3 } } } },
      { times: 'any', action: { answer: { text: 'second', usage: null } } },
    ]);
  });
  afterEach(async () => room.close());

  const asking = (...requests: readonly unknown[]) => ({ program: 'each', input: { requests } }) as const;

  async function recorded(): Promise<unknown> {
    const live = await room.run({ ...asking(REQUEST, REQUEST, OTHER, REQUEST), options: ['--inspect', 'run.svcins'] });
    expect(live.status).to.equal(0);
    expect(await room.command(RECORD)).to.deep.include({
      status: 0,
      stderr: '',
      stdout: '{"answers":4,"approximated":0,"entries":2,"unanswered":0}\n',
    });
    return live.value;
  }

  it('replay the run that they were recorded from, word for word', async () => {
    const live = await recorded();
    const requested = room.server.requests.length;
    const replayed = await room.run({ ...asking(REQUEST, REQUEST, OTHER, REQUEST), install: REPLAY, environment: {} });
    expect(replayed.value).to.deep.equal(live);
    expect(replayed.status).to.equal(0);
    expect(room.server.requests).to.have.length(requested);
  });

  it('lie beside their requests, both for their owner alone, and replace nothing', async () => {
    await recorded();
    for (const name of ['replay.jsonl', 'replay.requests.jsonl'])
      expect((await stat(join(room.directory, name))).mode & 0o777, name).to.equal(0o600);
    const requests = (await room.file('replay.requests.jsonl'))
      .split('\n')
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line));
    expect(requests).to.have.deep.nested.property('[0].request', REQUEST);
    expect(requests).to.have.deep.nested.property('[1].request', OTHER);
    const again = await room.command(RECORD);
    expect(again.status).to.equal(7);
    expect(again.stderr).to.match(/^error: fixtures\/destination_exists: /);
    await rm(join(room.directory, 'replay.jsonl'));
    expect((await room.command(RECORD)).stderr).to.include('the requests of the fixtures go to a file next to them');
  });

  it('tell of a miss which request is nearest and where it differs, on stderr alone', async () => {
    await recorded();
    const changed = {
      messages: [
        { role: 'user', content: 'good morning' },
        { role: 'user', content: 'how are you?' },
      ],
    };
    const missed = await room.run({
      program: 'fail',
      input: { request: { ...OTHER, messages: [{ role: 'user', content: 'good evening, again' }] } },
      install: REPLAY,
    });
    expect(missed.status).to.equal(5);
    expect(missed.envelope).to.have.nested.property('error.code', 'replay_fixture_missing');
    const [own, nearest] = missed.stderr.match(HASH) ?? [];
    expect(missed.envelope).to.have.nested.property('error.message').that.includes(own);
    const known = (await room.file('replay.requests.jsonl')).split('\n').find((line) => line.includes('evening'));
    expect(known).to.include(nearest);
    expect(missed.stderr).to.include(
      'differs at messages[0].content: asked "good evening, again", recorded "good evening"\n',
    );
    expect(JSON.stringify(missed.envelope)).not.to.include('evening');
    expect((await room.run({ program: 'fail', input: { request: changed }, install: REPLAY })).stderr).to.include(
      'differs at messages[1]: asked "{"content":"how are you?","role":"user"}", recorded nothing\n',
    );
  });

  it('say nothing of requests on a private run, nor without the requests', async () => {
    await recorded();
    const request = { messages: [{ role: 'user', content: 'planted prompt' }] };
    const silent = await room.run({
      program: 'fail',
      input: { request },
      install: REPLAY,
      manifest: { events: { policy: 'private' } },
      options: ['--private-output', 'value.json'],
    });
    expect(silent.status).to.equal(5);
    expect(silent.stderr).not.to.include('planted').and.not.to.include('nearest');
    await rm(join(room.directory, 'replay.requests.jsonl'));
    expect((await room.run({ program: 'fail', input: { request }, install: REPLAY })).stderr).to.match(
      /^error: [^\n]+\n$/,
    );
  });

  it('are compared with runs: entries that none used, requests that had none', async () => {
    await recorded();
    // A run that replays them knows the digest of every call, be it a hit or a miss.
    const missing = { messages: [{ role: 'user', content: 'something else' }] };
    await room.run({ ...asking(REQUEST, missing), install: REPLAY, options: ['--inspect', 'later.svcins'] });
    const check = await room.command([
      'fixtures',
      'check',
      '--fixtures',
      'replay.jsonl',
      '--inspection',
      'later.svcins',
    ]);
    expect(check).to.include({ status: 0, stderr: '' });
    expect(JSON.parse(check.stdout)).to.have.property('missing').with.length(1);
    const [first = '', second = ''] = (await room.file('replay.requests.jsonl')).match(HASH) ?? [];
    expect(JSON.parse(check.stdout)).to.deep.include({
      entries: 2,
      unused: [second],
      unused_answers: [{ request_hash: first, answers: 2 }],
    });
    const both = await room.command([
      'fixtures',
      'check',
      '--fixtures',
      'replay.jsonl',
      '--inspection',
      'later.svcins',
      '--inspection',
      'run.svcins',
    ]);
    expect(JSON.parse(both.stdout)).to.deep.include({ unused: [], unused_answers: [] });
  });

  it('are refused from what is no whole inspection, or was none of a model', async () => {
    await recorded();
    await rm(join(room.directory, 'replay.jsonl'));
    await rm(join(room.directory, 'replay.requests.jsonl'));
    const whole = await room.file('run.svcins');
    const reported: string[] = [];
    for (const text of [whole.slice(0, -600), whole.replace('good', 'bad!'), '', '{}']) {
      await writeFile(join(room.directory, 'run.svcins'), text);
      const { status, stderr } = await room.command(RECORD);
      expect(status).to.equal(2);
      reported.push(stderr.replace(/^.*; /s, '').trim());
    }
    expect(new Set(reported)).to.deep.equal(
      new Set([
        'the inspection has no seal: its run did not come to an end',
        'the inspection is not what its own chain says',
      ]),
    );
    await rm(join(room.directory, 'run.svcins'));
    expect((await room.command(RECORD)).stderr).to.include('the inspection is not a file that can be read safely');
    await room.run({ program: 'count', input: { request: REQUEST, times: 0 }, options: ['--inspect', 'run.svcins'] });
    expect((await room.command(RECORD)).stderr).to.include('the inspected run has no answer of a model');
  });

  const wrong: readonly (readonly [readonly string[], string])[] = [
    [[], 'invalid_arguments'],
    [['replay'], 'invalid_arguments'],
    [['record', '--inspection', 'a'], 'svc fixtures record needs --out'],
    [['record', '--inspection', 'a', '--inspection', 'b', '--out', 'c'], 'record takes the inspection of one run'],
    [['record', '--inspection', 'a', '--out', 'c', '--fixtures', 'd'], '--fixtures belongs to svc fixtures check'],
    [['check', '--fixtures', 'a'], '--inspection'],
    [['check', '--inspection', 'a'], 'svc fixtures check needs --fixtures'],
  ];
  for (const [argv, hint] of wrong) {
    it(`are not asked for as: fixtures ${argv.join(' ')}`, async () => {
      const { status, stdout, stderr } = await room.command(['fixtures', ...argv]);
      expect({ status, stdout }).to.deep.equal({ status: 2, stdout: '' });
      expect(stderr).to.include(hint);
    });
  }
});
