/**
 * Missions whose program has broken out of svc-lisp and speaks for the guest itself: what it answers, calls and keeps
 * is all the attacker's. The workflow sees a typed answer, and nothing else of it (runtime.md §4, §6, §14).
 */
import { expect } from 'chai';
import { BARE_GUEST, useSandboxUnderTest } from '../../testing/sandbox-under-test.ts';
import { everywhere } from '../../../scripts/build-snapshot.ts';
import { openRoom, productBroker } from './mission-room.ts';

const STORED = {
  definitions: 'd',
  history: ['1'],
  defined_count: 1,
  history_count: 1,
  memory_bytes: 1,
  history_bytes: 1,
};
const VALUE = { outcome: 'returned', value: '1', projection_fault: null, prints: [], continuation: STORED };
const FAULT = {
  reason: 'type_error',
  message: 'm',
  span: null,
  details: {},
  exception_class: null,
  public_error: null,
};

/** Marks a text that the program makes by repeating another, so that its own source stays small. */
const LONG = (text: string, times: number): string => `\u0000${text}\u0000${times}\u0000`;

/** A program that makes the guest answer with these members. */
function answering(reply: unknown): string {
  const template = JSON.stringify(reply).replaceAll('\\u0000', '\u0000');
  return `return ${JSON.stringify(template)}.replace(/\\u0000(.*?)\\u0000(\\d+)\\u0000/g, (_, text, times) => text.repeat(Number(times)))`;
}

describe('a mission whose guest is the attacker', () => {
  const built = useSandboxUnderTest(() => everywhere({ script: BARE_GUEST }), {
    startsFor: 'test',
    isolatesPerHost: 3,
  });

  it('is believed when it speaks as a guest does', async () => {
    expect(await openRoom(built.sandbox).evaluate(answering(VALUE))).to.deep.include({
      outcome: 'returned',
      value: '1',
      continuation_effect: 'committed_without_history',
    });
  });

  const forged: readonly (readonly [title: string, reply: unknown, expected: object])[] = [
    [
      'a record of the kernel',
      { outcome: 'returned', evaluation_id: 'mission-evaluation-9', 'admitted?': true, value: 1 },
      { kind: 'host_failure' },
    ],
    ['a member of the record', { ...VALUE, limit_proof: 'f'.repeat(64) }, { kind: 'host_failure' }],
    ['another outcome', { ...VALUE, outcome: 'limit_exceeded' }, { kind: 'host_failure' }],
    ['no answer', null, { kind: 'host_failure' }],
    ['a value that ends its own text', { ...VALUE, value: '1},"outcome":"failed"' }, { kind: 'projection_error' }],
    ['a value with one key twice', { ...VALUE, value: '{"a":1,"a":2}' }, { kind: 'projection_error' }],
    [
      'a value of many levels',
      { ...VALUE, value: LONG('[', 100_000) + LONG(']', 100_000) },
      { kind: 'projection_error' },
    ],
    [
      'a continuation of four values',
      { ...VALUE, continuation: { ...STORED, history: ['1', '2', '3', '4'] } },
      { kind: 'host_failure' },
    ],
    [
      'a continuation of a negative count',
      { ...VALUE, continuation: { ...STORED, defined_count: -1 } },
      { kind: 'host_failure' },
    ],
    [
      'definitions unchanged that there are none of',
      { ...VALUE, continuation: { ...STORED, definitions: '', is_unchanged: true } },
      { kind: 'host_failure' },
    ],
    ['no continuation', { ...VALUE, continuation: undefined }, { kind: 'host_failure' }],
    [
      'definitions larger than they say',
      { ...VALUE, continuation: { ...STORED, definitions: LONG('x', 2_000_001) } },
      { outcome: 'memory_exceeded' },
    ],
    [
      'a history larger than it says',
      { ...VALUE, continuation: { ...STORED, history: [LONG('x', 1_000_001)] } },
      { outcome: 'history_exceeded' },
    ],
  ];
  for (const [title, reply, expected] of forged) {
    it(`answers with ${title}: the evaluation fails and keeps nothing`, async () => {
      const room = openRoom(built.sandbox);
      expect(await room.evaluate(answering(reply))).to.deep.include({ continuation_effect: 'preserved', ...expected });
      expect(room.kernel.counts().memories[0]).to.include({ memory_bytes: 0, history_bytes: 0 });
      expect(await room.evaluate(answering(VALUE))).to.include({ outcome: 'returned' });
    });
  }

  it('cannot claim where a failure comes from, what it printed, or more than was asked', async () => {
    const room = openRoom(built.sandbox);
    expect(await room.evaluate(answering({ ...VALUE, outcome: 'failed', is_last_reply: true }))).to.not.have.property(
      'capability_failure?',
    );
    expect(await room.evaluate(answering({ ...VALUE, prints: Array.from({ length: 5000 }, () => 'p') })))
      .to.have.property('prints')
      .with.length(128);
    const observation = {
      text: 'x'.repeat(5000),
      value_truncated: false,
      prints_truncated: false,
      caps_hit: ['$(rm)'],
      sampled_keys: [],
    };
    // One that nobody asked for, and one that is longer than was asked for: the host is believed no more.
    for (const more of [{}, { observation_chars: 10 }]) {
      expect(await room.evaluate(answering({ ...VALUE, observation }), more))
        .to.include({ outcome: 'evaluation_error' })
        .and.to.not.have.property('observation');
    }
  });

  it('puts no text of its own where a run tells of its last error', async () => {
    for (const message of ['two\nlines', '\u001b[31m', 'x'.repeat(1025), '']) {
      const room = openRoom(built.sandbox);
      await room.evaluate(
        answering({
          outcome: 'evaluation_error',
          fault: { ...FAULT, public_error: { kind: 'type_error', message } },
          prints: [],
        }),
      );
      const report = room.kernel.routes.get('kernel-runtime-limit-failure');
      const json = new Map<string, string | number>([
        ['agent_turns', 1],
        ['reason', 'evaluation-error'],
      ]);
      await report?.({
        json,
        caller: { environment: 'workflow', mission: null, evaluationId: 'w', deadlineAt: Infinity },
        signal: new AbortController().signal,
        capabilityId: 'c',
      });
      expect(room.kernel.counts().lastEvaluationError).to.equal(null);
    }
  });

  /** Calls through the bridge and answers with what came back. */
  const calling = (name: string, input = '{}'): string =>
    `const answer = bridge(JSON.stringify({ name: ${JSON.stringify(name)}, arguments: ${JSON.stringify(input)} })); return JSON.stringify({ outcome: 'returned', value: answer, projection_fault: null, prints: [], continuation: ${JSON.stringify(STORED)} })`;

  it('reaches no route of the kernel through the bridge, and no name that it was not granted', async () => {
    const routes = openRoom(built.sandbox).kernel.routes;
    const names = [...routes.keys(), 'workflow-annotate', 'llm-request', 'find', '__proto__', 'constructor', ''];
    const broker = productBroker(routes);
    for (const name of names) {
      const room = openRoom(built.sandbox, { broker });
      const record = await room.evaluate(calling(name, '{"mission":"room","kind":"source","source":"1"}'));
      expect(String(record['value']), name).to.include('"capability_denied"').and.include('"capability_absent"');
    }
    expect(broker.counts().capabilityCalls).to.deep.equal({});
    expect(await openRoom(built.sandbox, { broker }).evaluate(calling('runtime-remaining')))
      .to.have.property('value')
      .that.matches(/"reply":"value"/);
  });

  it('sends what is no argument map: an answer, and no more than its evaluation is lost', async () => {
    const broker = productBroker();
    for (const input of ['', '[]', '{"a":1,"a":2}', '{', '"\\ud800"', '1']) {
      const record = await openRoom(built.sandbox, { broker }).evaluate(calling('runtime-usage', input));
      expect(String(record['value']), input.slice(0, 20)).to.include('protocol_error');
    }
  });

  it('that never answers, or takes all memory, is ended, and its next program finds what was kept', async () => {
    const room = openRoom(built.sandbox, { limits: { evaluation_timeout_ms: 3000 } });
    await room.evaluate(answering(VALUE));
    expect(await room.evaluate('for (;;);')).to.include({ kind: 'timeout' });
    expect(await room.evaluate('const kept = []; for (;;) kept.push([kept.length])'))
      .to.have.property('kind')
      .that.is.oneOf(['memory_exceeded', 'timeout']);
    expect(await room.evaluate('[].constructor(2 ** 32 - 1).fill(0).sort()'))
      .to.have.property('kind')
      .that.is.oneOf(['memory_exceeded', 'timeout', 'host_failure']);
    expect(room.kernel.counts().memories[0]).to.include({ memory_bytes: 1, history_bytes: 1 });
    const seen = await room.evaluate(
      `return JSON.stringify({ ...${JSON.stringify(VALUE)}, value: JSON.stringify(1) })`,
    );
    expect(seen).to.include({ outcome: 'returned' });
  });
});
