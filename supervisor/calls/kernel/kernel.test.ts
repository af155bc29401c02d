import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import {
  fakeMission,
  fault,
  value,
  type FakeMission,
  type FakeMissionOptions,
  type ScriptedEnd,
} from './testing/mission-fixture.ts';

const source = (text: string, more: Readonly<Record<string, unknown>> = {}) => ({
  mission: 'room',
  kind: 'source',
  source: text,
  ...more,
});

async function evaluate(
  end: ScriptedEnd,
  options: FakeMissionOptions = {},
  more: Readonly<Record<string, unknown>> = {},
) {
  return fakeMission({ ...options, programs: { p: end } }).value('kernel-eval', source('p', more));
}

function typesOf({ events }: FakeMission): readonly string[] {
  return events.map(({ type }) => type);
}

describe('kernel-eval: the evaluation record (runtime.md §6)', () => {
  it('a plain value', async () => {
    expect(await evaluate({ outcome: value('{"a":1.0}', { prints: ['p'] }) })).to.deep.equal({
      outcome: 'continued',
      evaluation_id: 'mission-evaluation-1',
      duration_ms: 0,
      continuation_effect: 'committed_with_history',
      'admitted?': true,
      source_bytes: 1,
      'capability_activity?': false,
      'correction_safe?': true,
      value: { a: 1 },
      prints: ['p'],
    });
  });

  it('a returned value, and one that wrote', async () => {
    const returned = value('1', { outcome: 'returned' });
    expect(await evaluate({ outcome: returned }, { scope: { reached: 'write' } })).to.deep.include({
      outcome: 'returned',
      continuation_effect: 'committed_without_history',
      'correction_safe?': false,
      'capability_activity?': true,
    });
    expect(await evaluate({ outcome: returned }, { scope: { reached: 'read' } })).to.include({
      'correction_safe?': true,
    });
  });

  const failed = value('{"kind":"timeout"}', { outcome: 'failed', is_last_reply: true });
  const envelope = { status: 'error' };
  const failures: readonly (readonly [
    rule: string,
    end: ScriptedEnd,
    options: FakeMissionOptions,
    expected: object,
  ])[] = [
    [
      'a failed value that is the last capability result',
      { outcome: failed },
      { scope: { reached: 'read', lastEnvelope: envelope } },
      {
        outcome: 'failed',
        value: { kind: 'timeout' },
        'capability_failure?': true,
        'retryable?': true,
        continuation_effect: 'preserved',
      },
    ],
    [
      'the same after a write',
      { outcome: failed },
      { scope: { reached: 'write', lastEnvelope: envelope } },
      { 'capability_failure?': true, 'retryable?': false },
    ],
    [
      'a program error',
      { outcome: fault('type_error', 'java.lang.ClassCastException') },
      {},
      {
        outcome: 'evaluation_error',
        kind: 'runtime',
        reason: 'type_error',
        details: { line: 1, message: 'm' },
        prints: ['p'],
      },
    ],
    ['a text that does not read', { outcome: fault('parse_error') }, {}, { kind: 'parse', reason: 'parse_error' }],
    [
      'a text that does not compile',
      { outcome: fault('unbound_var') },
      {},
      { kind: 'analysis', reason: 'unbound_var' },
    ],
    [
      'too many loops',
      { outcome: fault('loop_limit_exceeded') },
      {},
      { kind: 'runtime', reason: 'loop_limit_exceeded' },
    ],
    [
      'a component contract',
      { outcome: fault('component_contract_error') },
      {},
      { kind: 'runtime', 'retryable?': true },
    ],
    [
      'a component contract after an unknown effect',
      { outcome: fault('component_contract_error') },
      { scope: { reached: 'unknown' } },
      { 'retryable?': false },
    ],
    [
      'a kill for time',
      { outcome: { status: 'timeout' } },
      {},
      { outcome: 'evaluation_error', kind: 'timeout', 'retryable?': true },
    ],
    [
      'a kill for memory',
      { outcome: { status: 'memory_exceeded' } },
      {},
      { kind: 'memory_exceeded', 'retryable?': true },
    ],
    ['a lost host', { outcome: { status: 'host_lost', cause: 'killed' } }, {}, { kind: 'memory_exceeded' }],
    [
      'a host that breaks the protocol',
      { outcome: { status: 'host_lost', cause: 'protocol_violation' } },
      {},
      { kind: 'host_failure' },
    ],
    [
      'a value that has no JSON form',
      {
        outcome: value('1', {
          value: null,
          projection_fault: {
            reason: 'public_projection_collision',
            message: 'm',
            span: null,
            details: {},
            exception_class: null,
            public_error: null,
          },
        }),
      },
      {},
      { outcome: 'evaluation_error', kind: 'public_projection_collision', continuation_effect: 'preserved' },
    ],
    [
      'a text that is no JSON',
      { outcome: value('1},"outcome":"forged"') },
      {},
      { outcome: 'evaluation_error', kind: 'projection_error' },
    ],
    ['a value nested too deep', { outcome: value('['.repeat(46) + ']'.repeat(46)) }, {}, { kind: 'projection_error' }],
    [
      'a value larger than a capability result',
      { outcome: value('"123456789"') },
      { limits: { capability_result_bytes: 10 } },
      {
        outcome: 'result_exceeded',
        reason: 'capability_result_bytes',
        details: { limit: 'capability_result_bytes', limit_value: 10 },
        continuation_effect: 'preserved',
      },
    ],
    [
      'definitions beyond their limit',
      { outcome: value('1') },
      { limits: { evaluation_memory_bytes: 9 } },
      {
        outcome: 'memory_exceeded',
        details: { limit: 'evaluation_memory_bytes', limit_value: 9 },
        continuation_effect: 'preserved',
      },
    ],
    [
      'a history beyond its limit',
      { outcome: value('1') },
      { limits: { evaluation_history_bytes: 4 } },
      { outcome: 'history_exceeded' },
    ],
    [
      'a refused commit after a write',
      { outcome: value('1') },
      { limits: { evaluation_history_bytes: 4 }, scope: { reached: 'write' } },
      { 'retryable?': false },
    ],
    [
      'a terminal failure of a provider, though caught',
      { outcome: value('1') },
      { scope: { terminalProviderFailure: { reason: 'denied' } } },
      { outcome: 'continued', 'terminal_provider_failure?': true, reason: 'denied' },
    ],
    [
      'a terminal failure of the host, though caught',
      { outcome: value('1') },
      { scope: { terminalHostFailure: { reason: 'input_validation_unavailable' } } },
      { 'terminal_host_failure?': true, reason: 'input_validation_unavailable' },
    ],
  ];
  for (const [rule, end, options, expected] of failures) {
    it(rule, async () => {
      expect(await evaluate(end, options)).to.deep.include(expected);
    });
  }

  it('at exactly its limits a commit, a value and a depth pass', async () => {
    expect(
      await evaluate(
        { outcome: value('"12345678"') },
        { limits: { capability_result_bytes: 10, evaluation_memory_bytes: 10, evaluation_history_bytes: 5 } },
      ),
    ).to.include({ outcome: 'continued' });
    expect(await evaluate({ outcome: value('['.repeat(45) + ']'.repeat(45)) })).to.include({ outcome: 'continued' });
  });

  it('a text beyond subordinate_source_bytes is not admitted and costs no evaluation', async () => {
    const mission = fakeMission({ limits: { subordinate_source_bytes: 3, subordinate_evaluations: 1 } });
    expect(await mission.value('kernel-eval', source('1234'))).to.deep.equal({
      outcome: 'result_exceeded',
      evaluation_id: 'mission-evaluation-1',
      duration_ms: 0,
      continuation_effect: 'preserved',
      reason: 'subordinate_source_bytes',
      details: { limit: 'subordinate_source_bytes', limit_value: 3 },
      prints: [],
    });
    expect(mission.events).to.deep.equal([]);
    expect(await mission.value('kernel-eval', source('123'))).to.include({
      outcome: 'continued',
      'admitted?': true,
      source_bytes: 3,
    });
  });

  it('prints are bounded in number and bytes', async () => {
    const many = await evaluate({ outcome: value('1', { prints: Array.from({ length: 200 }, () => 'x') }) });
    expect(many['prints']).to.have.length(128);
    const large = await evaluate({ outcome: value('1', { prints: ['y'.repeat(65_536), 'z'] }) });
    expect(large['prints']).to.have.length(1);
  });

  it('an observation stands for a plain value and its prints; what it says is bounded', async () => {
    const shown = {
      text: 'x'.repeat(99),
      value_truncated: true,
      prints_truncated: false,
      caps_hit: ['forged', 'items'],
      sampled_keys: ['k'.repeat(99)],
    };
    const record = await evaluate(
      {
        outcome: value('1', {
          value: null,
          observation: shown,
          continuation: {
            definitions: '',
            history: [],
            defined_count: 0,
            history_count: 0,
            memory_bytes: 0,
            history_bytes: 0,
          },
        }),
      },
      {},
      { observation_chars: 20 },
    );
    expect(record).to.not.have.any.keys('value', 'prints');
    expect(record).to.deep.include({
      observation: 'x'.repeat(20),
      preview: {
        'truncated?': true,
        'value_truncated?': true,
        'prints_truncated?': false,
        caps_hit: ['items'],
        sampled_keys: ['k'.repeat(64)],
      },
    });
  });

  it('parameters and grants reach the program with their number classes', async () => {
    const mission = fakeMission();
    await mission.value('kernel-eval', { mission: 'room', kind: 'embedded', program: 'p', params: { b: 1.5, a: [1] } });
    const { request } = mission.requests.at(-1) ?? {};
    expect(request).to.deep.include({
      operation: 'evaluate',
      environment: 'mission',
      data: { rows: '[1]', params: '{"a":[1],"b":1.5}' },
      tools: ['find'],
    });
  });
});

describe('kernel-eval: requests that are no requests', () => {
  const cases: readonly (readonly [given: Readonly<Record<string, unknown>>, reason: string])[] = [
    [{}, 'invalid_kernel_eval_request'],
    [{ mission: 'room', kind: 'source' }, 'invalid_kernel_eval_request'],
    [{ mission: 'room', kind: 'source', source: 1 }, 'invalid_kernel_eval_request'],
    [{ mission: 'room', kind: 'source', source: 'p', extra: 1 }, 'invalid_kernel_eval_request'],
    [{ mission: 'room', kind: 'source', source: 'p', constructor: 1 }, 'invalid_kernel_eval_request'],
    [{ mission: 'room', kind: 'source', program: 'p' }, 'invalid_kernel_eval_request'],
    [{ mission: 'room', kind: 'embedded', program: 'p', observation_chars: 9 }, 'invalid_kernel_eval_request'],
    [{ mission: 'room', kind: 'source', source: 'p', observation_chars: 9, params: 1 }, 'invalid_kernel_eval_request'],
    [{ mission: 'room', kind: 'source', source: 'p', observation_chars: 0 }, 'invalid_kernel_eval_request'],
    [{ mission: 'room', kind: 'source', source: 'p', observation_chars: 65_537 }, 'invalid_kernel_eval_request'],
    [{ mission: 'room', kind: 'source', source: 'p', observation_chars: 1.5 }, 'invalid_kernel_eval_request'],
    [{ mission: 'nowhere', kind: 'source', source: 'p' }, 'unknown_mission'],
    [{ mission: '__proto__', kind: 'source', source: 'p' }, 'unknown_mission'],
  ];
  for (const [input, reason] of cases) {
    it(`${JSON.stringify(input)}: ${reason}`, async () => {
      const mission = fakeMission();
      expect(await mission.call('kernel-eval', input)).to.deep.equal({ kind: 'protocol_error', reason, counted: true });
      expect(mission.requests).to.deep.equal([]);
    });
  }

  it('observation_chars from 1 to 65536 pass', async () => {
    for (const observation_chars of [1, 65_536])
      expect(await fakeMission().value('kernel-eval', source('p', { observation_chars }))).to.include({
        outcome: 'continued',
      });
  });
});

describe('kernel-eval: the lease and what an evaluation leaves', () => {
  it('the evaluation beyond subordinate_evaluations is refused with a proof, once for one caller', async () => {
    const mission = fakeMission({ limits: { subordinate_evaluations: 1 } });
    await mission.value('kernel-eval', source('p'));
    const refused = await mission.value('kernel-eval', source('p'));
    expect(refused).to.deep.include({
      outcome: 'limit_exceeded',
      reason: 'subordinate_evaluations',
      continuation_effect: 'preserved',
    });
    const proof = refused['limit_proof'];
    expect(proof).to.match(/^[0-9a-f]{64}$/);
    const unproven = { kind: 'protocol_error', reason: 'invalid_runtime_limit_failure', counted: false };
    expect(await mission.call('kernel-runtime-limit-failure', { proof: 'f'.repeat(64) })).to.deep.equal(unproven);
    expect(
      await mission.call('kernel-runtime-limit-failure', { proof }, { evaluationId: 'workflow-evaluation-2' }),
    ).to.deep.equal(unproven);
    expect(await mission.call('kernel-runtime-limit-failure', { proof })).to.deep.equal({
      kind: 'authenticated',
      failure: { report: 'runtime_limit', facts: { limit: 'subordinate_evaluations', limit_value: 1 } },
    });
    expect(await mission.call('kernel-runtime-limit-failure', { proof })).to.deep.equal(unproven);
    expect(mission.kernel.counts().evaluationsByMission).to.deep.equal({ room: 1 });
  });

  it('a second evaluation waits for the first, and no longer than it may', async () => {
    const hold = Promise.withResolvers<undefined>();
    const mission = fakeMission({
      programs: { slow: { until: hold.promise } },
      limits: { evaluation_admission_timeout_ms: 50 },
    });
    const first = mission.value('kernel-eval', source('slow'));
    const second = mission.value('kernel-eval', source('p'));
    mission.elapse(50);
    expect(await second).to.deep.include({ outcome: 'busy', reason: 'admission_timeout' });
    const third = mission.value('kernel-eval', source('p'));
    hold.resolve(undefined);
    expect([(await first)['outcome'], (await third)['outcome']]).to.deep.equal(['continued', 'continued']);
  });

  it('a caller that is gone ends its evaluation without a commit, and frees the lease', async () => {
    const mission = fakeMission({ programs: { slow: { until: new Promise(() => undefined) } } });
    const closed = new AbortController();
    const first = mission.call('kernel-eval', source('slow'), {}, closed.signal);
    const second = mission.value('kernel-eval', source('p'));
    closed.abort();
    await first;
    expect(await second).to.include({ outcome: 'continued' });
    expect(mission.kernel.counts().memories[0]).to.include({ memory_bytes: 10 });
  });

  it('closing ends what runs and what waits, and leaves no isolate', async () => {
    const mission = fakeMission({ programs: { slow: { until: new Promise(() => undefined) } } });
    await mission.value('kernel-eval', source('p'));
    const running = mission.value('kernel-eval', source('slow'));
    const waiting = mission.value('kernel-eval', source('p'));
    await mission.kernel.close();
    for (const answer of [await running, await waiting])
      expect(answer).to.deep.include({
        outcome: 'limit_exceeded',
        reason: 'run_closed',
        continuation_effect: 'preserved',
      });
    expect(await mission.value('kernel-eval', source('p'))).to.include({ reason: 'run_closed' });
    expect(mission.live()).to.equal(0);
    expect(mission.endedDomains).to.deep.equal(['run']);
  });

  it('goes on in the isolate of the last commit, and after anything else in a fresh one with the continuation', async () => {
    const mission = fakeMission({
      programs: { bad: { outcome: fault('type_error', 'E') }, back: { outcome: value('1', { outcome: 'returned' }) } },
    });
    for (const text of ['a', 'back', 'bad', 'c', 'd']) await mission.value('kernel-eval', source(text));
    const evaluations = mission.requests.flatMap(({ isolate, request }) =>
      request.operation === 'evaluate' ? [[isolate, request.source, request.continuation]] : [],
    );
    const restored = { definitions: 'after back', history: ['12345'] };
    expect(evaluations).to.deep.equal([
      [1, 'a', null],
      [1, 'back', 'living'],
      [1, 'bad', 'living'],
      [2, 'c', restored],
      [2, 'd', 'living'],
    ]);
    expect(mission.live()).to.equal(1);
  });

  it('missions share neither isolates nor continuations', async () => {
    const mission = fakeMission();
    await mission.value('kernel-eval', source('a'));
    await mission.value('kernel-eval', { ...source('b'), mission: 'other' });
    await mission.value('kernel-eval', source('c'));
    const evaluations = mission.requests.flatMap(({ isolate, request }) =>
      request.operation === 'evaluate' ? [[isolate, request.source]] : [],
    );
    expect(evaluations).to.deep.equal([
      [1, 'a'],
      [2, 'b'],
      [1, 'c'],
    ]);
    expect(mission.kernel.counts()).to.deep.include({
      evaluationsByMission: { other: 1, room: 2 },
      memories: [
        { defined_count: 1, history_count: 1, memory_bytes: 10, history_bytes: 5 },
        { defined_count: 1, history_count: 1, memory_bytes: 10, history_bytes: 5 },
      ],
    });
  });

  it('tells its events and private records in order, with the evaluation that asked', async () => {
    const mission = fakeMission();
    await mission.value('kernel-eval', source('a'));
    const owner = {
      evaluation_id: 'mission-evaluation-1',
      environment: 'mission',
      mission_name: 'room',
      parent_evaluation_id: 'workflow-evaluation-1',
    };
    const hash = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';
    expect(mission.events.map(({ type, data }) => ({ type, ...Object.fromEntries(data) }))).to.deep.equal([
      { type: 'evaluation-started', ...owner, program_kind: 'svc-lisp', source_hash: hash, source_bytes: 1 },
      {
        type: 'evaluation-stopped',
        ...owner,
        status: 'continued',
        duration_ms: 0,
        continuation: new Map([
          ['bytes', 15],
          ['defined_count', 1],
          ['history_bytes', 5],
          ['history_count', 1],
          ['memory_bytes', 10],
        ]),
      },
    ]);
    expect(mission.records.map(({ type }) => type)).to.deep.equal(['evaluation-source', 'evaluation-analysis']);
    expect(mission.records[0]?.payload.value.get('source')).to.equal('a');
  });

  it('knows the evaluation whose very record a value is, and no other value', async () => {
    const mission = fakeMission({
      programs: { one: { outcome: value('{"b":1.0,"a":[1]}', { outcome: 'returned' }) } },
      limits: { subordinate_evaluations: 2 },
    });
    const answer = async (text: string): Promise<JsonObject> => {
      const { kind, ...rest } = await mission.call('kernel-eval', source(text));
      const input = 'value' in rest ? rest.value : null;
      if (kind !== 'value' || !isJsonObject(input)) throw new Error('a record');
      return input;
    };
    const { producerOf } = mission.kernel;
    const [one, two, refused] = [await answer('one'), await answer('p'), await answer('p')];
    expect(await Promise.all([one, two, refused].map(producerOf))).to.deep.equal([
      'mission-evaluation-1',
      'mission-evaluation-2',
      null,
    ]);
    const envelope = new Map<string, JsonValue>([
      ['status', 'ok'],
      ['value', one],
    ]);
    expect(await producerOf(envelope)).to.equal('mission-evaluation-1');
    expect(await producerOf(new Map([...one].toReversed())), 'order of keys is no part of a value').to.equal(
      'mission-evaluation-1',
    );
    const others: readonly JsonValue[] = [
      null,
      'mission-evaluation-1',
      [one],
      new Map(),
      one.get('value') ?? null,
      new Map([...one, ['more', 1]]),
      new Map([...one, ['evaluation_id', 'mission-evaluation-2']]),
      new Map([...one, ['value', jsonFromPlain({ b: 1, a: [1] }) ?? null]]),
      new Map([['evaluation_id', 'mission-evaluation-1']]),
      new Map([...envelope, ['status', 'error']]),
      new Map([...envelope, ['more', 1]]),
    ];
    expect(await Promise.all(others.map(producerOf))).to.deep.equal(others.map(() => null));
  });

  it('a program that does not compile has no analysis, and a denied name is counted', async () => {
    const mission = fakeMission({
      programs: { p: { outcome: fault('unknown_tool') }, q: { outcome: fault('private_tool_unauthorized') } },
    });
    await mission.value('kernel-eval', source('p'));
    await mission.value('kernel-eval', source('q'));
    expect(mission.records.map(({ type }) => type)).to.deep.equal(['evaluation-source', 'evaluation-source']);
    expect(mission.denials).to.deep.equal(['unknown_tool', 'private_tool_unauthorized']);
  });

  it('tells of the bound that ended a program', async () => {
    const mission = fakeMission({
      programs: { p: { outcome: { status: 'timeout' } } },
      limits: { evaluation_timeout_ms: 77 },
    });
    await mission.value('kernel-eval', source('p'));
    expect(typesOf(mission)).to.deep.equal(['evaluation-started', 'limit-exceeded', 'evaluation-stopped']);
    expect(Object.fromEntries(mission.events[1]?.data ?? [])).to.deep.equal({
      reason: 'timeout',
      environment: 'mission',
      mission_name: 'room',
      limit: 'evaluation_timeout_ms',
      limit_ms: 77,
    });
  });

  it('what cannot be put on record does not run', async () => {
    for (const refused of [{ refusedEvents: ['evaluation-started'] }, { refusedRecords: ['evaluation-source'] }]) {
      const mission = fakeMission(refused);
      expect(await mission.value('kernel-eval', source('p'))).to.include({
        outcome: 'evaluation_error',
        kind: 'refusedEvents' in refused ? 'event_sink_error' : 'inspection_sink_error',
      });
      expect(mission.requests).to.deep.equal([]);
    }
  });

  it('a program whose host was lost before it called anything is begun again, once', async () => {
    for (const [calls, evaluations] of [
      [[], 2],
      [['find'], 1],
    ] as const) {
      const mission = fakeMission({ programs: { p: { calls, outcome: { status: 'host_lost', cause: 'killed' } } } });
      expect(await mission.value('kernel-eval', source('p'))).to.include({
        outcome: 'evaluation_error',
        kind: 'memory_exceeded',
      });
      expect(mission.requests.filter(({ request }) => request.operation === 'evaluate')).to.have.length(evaluations);
      expect(mission.live()).to.equal(0);
    }
  });

  it('an isolate that was prepared is used', async () => {
    const mission = fakeMission();
    mission.kernel.prepare();
    await mission.value('kernel-eval', source('a'));
    expect(new Set(mission.requests.map(({ isolate }) => isolate))).to.deep.equal(new Set([1]));
    mission.kernel.prepare();
    await mission.kernel.close();
    expect(mission.live()).to.equal(0);
  });
});
