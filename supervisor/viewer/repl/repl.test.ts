import { expect } from 'chai';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { plainFromJson } from '../../../contract/json/plain.ts';
import { setupRefusal } from '../../session/profiles/refusal.ts';
import type { FormEnd } from '../../session/form-end.ts';
import type { OpenBackend } from './backend.ts';
import { cutText } from './cut.ts';
import { PART_BYTES } from './evaluation.ts';
import type { Done } from './operations.ts';
import { newRepl, type Repl } from './repl.ts';
import { failedEnd, fakeBackend, valueEnd } from './testing/fake-backend.ts';
import { TRANSCRIPT_MOST } from './transcript.ts';

const NEVER = new AbortController().signal;

function replOver(
  open: OpenBackend,
  input: { readonly operationMs?: number } = {},
): Repl & { readonly bugs: readonly unknown[] } {
  const bugs: unknown[] = [];
  return {
    ...newRepl({
      open,
      mutationNonce: 'nonce',
      now: () => 0,
      reportBug: (error) => {
        bugs.push(error);
      },
      ...input,
    }),
    bugs,
  };
}

const plain = (repl: Repl) => Object(plainFromJson(repl.state()));
const answer = (done: Done) => Object(done.ok ? plainFromJson(done.answer) : { fault: done.fault });
const lifecycle = (repl: Repl): unknown => repl.state().get('lifecycle');

describe('the session of a viewer (evidence.md §11)', () => {
  it('opens with its first operation, and is one for all of them', async () => {
    const backend = fakeBackend();
    const repl = replOver(backend.open);
    expect([lifecycle(repl), plain(repl)['session'], backend.opened()]).to.deep.equal(['never_started', null, 0]);
    expect(answer(await repl.names(NEVER))['names']).to.deep.equal(['map', 'analysis/runs', 'n'.repeat(128)]);
    const { evaluation } = answer(await repl.evaluate('(analysis/runs {})', NEVER));
    expect(evaluation).to.deep.include({
      status: 'ok',
      outcome: 'continued',
      continuation_effect: 'committed_with_history',
      value: { a: 1 },
      'value_available?': true,
      formatted: '{"a" 1}',
      'formatted_truncated?': false,
    });
    expect([lifecycle(repl), backend.opened(), backend.sources]).to.deep.equal(['open', 1, ['(analysis/runs {})']]);
    const { session, transcript, limits } = plain(repl);
    expect(session).to.deep.include({
      profile_id: 'run-analysis-v1',
      evaluation_count: 1,
      usage: { evaluations: 1, capability_calls: 2, remaining_ms: 1_800_000 },
      snapshot: { traces: { file_count: 1, run_count: 1 } },
    });
    expect(limits).to.include({ evaluations: 64, source_bytes: 65_536 });
    expect(transcript).to.have.length(1);
  });

  it('tells a failure with its place, and that nothing was changed', async () => {
    const repl = replOver(fakeBackend({ evaluate: async () => failedEnd() }).open);
    const { evaluation } = answer(await repl.evaluate('x', NEVER));
    expect(evaluation).to.deep.include({
      status: 'error',
      continuation_effect: 'preserved',
      error: { kind: 'unbound_var', message: 'x is not defined', line: 1, column: 2 },
    });
    expect(lifecycle(repl)).to.equal('open');
  });

  it('tells what is no JSON as it is printed, and what was returned as JSON', async () => {
    const ends: FormEnd[] = [
      valueEnd({ text: '', isUnavailable: true }),
      valueEnd({ outcome: 'returned', text: '[1]' }),
    ];
    const repl = replOver(fakeBackend({ evaluate: async () => ends.shift() ?? valueEnd(), printed: '#<fn>' }).open);
    expect(answer(await repl.evaluate('inc', NEVER))['evaluation'])
      .to.include({ 'value_available?': false, formatted: '#<fn>' })
      .and.not.have.property('value');
    expect(answer(await repl.evaluate('(return [1])', NEVER))['evaluation']).to.deep.include({
      value: [1],
      formatted: '[\n  1\n]',
      continuation_effect: 'committed_without_history',
    });
  });

  it('does one thing at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<FormEnd>();
    const repl = replOver(fakeBackend({ evaluate: async () => promise }).open);
    const first = repl.evaluate('1', NEVER);
    expect(lifecycle(repl)).to.equal('evaluating');
    for (const second of [
      repl.evaluate('2', NEVER),
      repl.names(NEVER),
      repl.reset(NEVER),
      repl.end(),
      repl.template(async () => ({ ok: true, answer: new Map() })),
    ])
      expect(answer(await second)['fault']).to.equal('operation_active');
    resolve(valueEnd());
    expect((await first).ok).to.equal(true);
    expect(lifecycle(repl)).to.equal('open');
  });

  it('writes its trace when it is begun anew, and forgets what was said', async () => {
    const backend = fakeBackend();
    const repl = replOver(backend.open);
    await repl.evaluate('1', NEVER);
    const before = repl.sessionId();
    expect((await repl.reset(NEVER)).ok).to.equal(true);
    expect([
      backend.opened(),
      backend.closed(),
      lifecycle(repl),
      plain(repl)['transcript'],
      plain(repl)['generation_sequence'],
    ]).to.deep.equal([2, 1, 'open', [], 2]);
    expect(repl.sessionId()).not.to.equal(before);
    expect((await repl.end()).ok).to.equal(true);
    expect([backend.closed(), lifecycle(repl), plain(repl)['session']]).to.deep.equal([2, 'closed', null]);
    expect(answer(await repl.evaluate('1', NEVER))['fault']).to.equal('session_closed');
    expect(answer(await repl.end())['fault']).to.equal('session_closed');
    expect((await repl.reset(NEVER)).ok).to.equal(true);
    await repl.close();
    expect([backend.opened(), backend.closed()]).to.deep.equal([3, 3]);
  });

  it('is over when a limit of the whole session is reached', async () => {
    for (const [isWritten, expected] of [
      [true, 'terminal'],
      [false, 'terminal_unpersisted'],
    ] as const) {
      const backend = fakeBackend({
        isWritten,
        evaluate: async () =>
          failedEnd({
            error: { kind: 'runtime_limit_exceeded', message: 'm', place: null },
            ended: true,
            outcome: null,
          }),
      });
      const repl = replOver(backend.open);
      expect((await repl.evaluate('1', NEVER)).ok).to.equal(true);
      expect([lifecycle(repl), backend.closed(), plain(repl)['session'].terminal_reason]).to.deep.equal([
        expected,
        1,
        'runtime_limit_exceeded',
      ]);
      expect(answer(await repl.evaluate('1', NEVER))['fault']).to.equal('session_terminal');
      expect((await repl.reset(NEVER)).ok).to.equal(true);
      expect(lifecycle(repl)).to.equal('open');
    }
  });

  it('says so when its trace cannot be written, and can be begun anew', async () => {
    const repl = replOver(fakeBackend({ isWritten: false }).open);
    await repl.evaluate('1', NEVER);
    expect(answer(await repl.end())['fault']).to.equal('persistence_failed');
    expect(lifecycle(repl)).to.equal('persistence_failed');
    expect((await repl.reset(NEVER)).ok).to.equal(true);
  });

  it('is told why it could not be opened, and tries again', async () => {
    let isThere = false;
    const backend = fakeBackend();
    const repl = replOver(async (signal) =>
      isThere ? backend.open(signal) : setupRefusal('command_failed', 'no run', null),
    );
    expect(answer(await repl.evaluate('1', NEVER))['fault']).to.equal('not_opened');
    expect([lifecycle(repl), plain(repl)['transcript']]).to.deep.equal(['never_started', []]);
    isThere = true;
    expect((await repl.evaluate('1', NEVER)).ok).to.equal(true);
  });

  it('gives up an opening that takes too long, and lets go of what comes of it', async () => {
    const backend = fakeBackend();
    const { promise, resolve } = Promise.withResolvers<void>();
    const aborts: boolean[] = [];
    const repl = replOver(
      async (signal) => {
        await promise;
        aborts.push(signal.aborted);
        return backend.open(signal);
      },
      { operationMs: 1 },
    );
    expect(answer(await repl.evaluate('1', NEVER))['fault']).to.equal('start_timeout');
    expect(lifecycle(repl)).to.equal('never_started');
    resolve();
    while (backend.closed() === 0) await new Promise(setImmediate);
    expect([aborts, repl.bugs]).to.deep.equal([[true], []]);
  });

  it('interrupts a form whose page is gone, and one that runs when the viewer ends', async () => {
    const hanging = fakeBackend({
      evaluate: async (_source, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            resolve(failedEnd({ error: { kind: 'interrupted', message: 'i', place: null } }));
          });
        }),
    });
    const repl = replOver(hanging.open);
    const leaving = new AbortController();
    const first = repl.evaluate('1', leaving.signal);
    while (hanging.sources.length < 1) await new Promise(setImmediate);
    leaving.abort();
    expect(answer(await first)['evaluation'].error.kind).to.equal('interrupted');
    const second = repl.evaluate('2', NEVER);
    while (hanging.sources.length < 2) await new Promise(setImmediate);
    await repl.close();
    expect(answer(await second)['evaluation'].error.kind).to.equal('interrupted');
    expect(hanging.closed()).to.equal(1);
  });

  it('does not outlive a bug, which it reports', async () => {
    const repl = replOver(
      fakeBackend({
        evaluate: async () => {
          throw new Error('bug');
        },
      }).open,
    );
    expect(answer(await repl.evaluate('1', NEVER))['fault']).to.equal('adapter_failure');
    expect([lifecycle(repl), repl.bugs.length, answer(await repl.evaluate('1', NEVER))['fault']]).to.deep.equal([
      'backend_failed',
      1,
      'session_closed',
    ]);
    expect((await repl.reset(NEVER)).ok).to.equal(true);
  });

  it('keeps 64 entries, and none beyond the bytes of all', async () => {
    const small = replOver(fakeBackend().open);
    for (let n = 0; n < 65; n += 1) {
      await small.evaluate(`${n}`, NEVER);
      expect(plain(small)['transcript_omitted_count'], `${n}`).to.equal(n === 64 ? 1 : 0);
    }
    expect(plain(small)['transcript'][0].source).to.equal('1');
    const huge = '"'.repeat(200_000);
    const large = replOver(
      fakeBackend({
        printed: huge,
        evaluate: async () =>
          valueEnd({ text: JSON.stringify('x'.repeat(PART_BYTES - 2)), prints: [huge, '\u0000'.repeat(99_999)] }),
      }).open,
    );
    for (let n = 0; n < 4; n += 1) await large.evaluate(huge, NEVER);
    const { transcript, transcript_omitted_count: omitted } = plain(large);
    expect(transcript.length + omitted).to.equal(4);
    expect(omitted).to.be.greaterThan(0);
    expect(Buffer.byteLength(canonicalJson(large.state().get('transcript') ?? null))).to.be.at.most(
      TRANSCRIPT_MOST.bytes + 100,
    );
    expect(transcript[0]).to.deep.include({ 'source_truncated?': true });
    expect(transcript[0].evaluation).to.deep.include({ 'formatted_truncated?': true, 'prints_truncated?': true });
  });
});

describe('a text that is cut for its JSON', () => {
  for (const [text, most, stored] of [
    ['abc', 2, 'ab'],
    ['abc', 3, 'abc'],
    ['abc', 4, 'abc'],
    ['""', 3, '"'],
    ['€€', 5, '€'],
    ['😀😀', 7, '😀'],
    ['\n\n', 11, '\n'],
    ['\ud800', 3, '\ufffd'],
    ['', 0, ''],
  ] as const) {
    it(`${JSON.stringify(text)} within ${most}`, () => {
      expect(cutText(text, most)).to.deep.equal({ text: stored, isCut: stored.length < text.length });
    });
  }
});
