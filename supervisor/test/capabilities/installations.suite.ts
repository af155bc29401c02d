import { expect } from 'chai';
import {
  acquisitionFailure,
  defineCustomInstallation,
  type CustomInstallation,
  type CustomInstallationSpec,
  type CustomOpen,
} from '../../api/supervisor.ts';
import { useSupervisor, work } from './runs.ts';

function installed(alias: string, open: CustomOpen, over: Partial<CustomInstallationSpec> = {}): CustomInstallation {
  return work(() => 1, { name: `${alias}-work` }, { alias, open, ...over });
}

describe('installations of the calling program (providers.md §1 to §3)', () => {
  const runs = useSupervisor();

  it('are opened in declaration order and closed in reverse, once', async () => {
    const reported: string[] = [];
    const traced = (alias: string): CustomInstallation =>
      installed(alias, ({ destination }) => {
        reported.push(`open ${alias} ${destination}`);
        return {
          close: () => {
            reported.push(`close ${alias}`);
          },
        };
      });
    const done = await runs.run({ custom: [traced('b'), traced('a')], body: '(tool/a-work)' });
    expect(done.code).to.equal(null);
    expect(reported).to.deep.equal(['open b workflow', 'open a workflow', 'close a', 'close b']);
    expect(done.envelope.execution).to.include({ state: 'finished', outcome: 'ok' });
  });

  it('may open with functions of the run', async () => {
    let opened = 0;
    const counting = work(
      () => 'never',
      {},
      {
        open: () => {
          opened += 1;
          const own = opened;
          return { calls: { work: () => own } };
        },
      },
    );
    expect((await runs.run({ custom: [counting], body: '(:value (tool/work))' })).value).to.equal(1);
    expect((await runs.run({ custom: [counting], body: '(:value (tool/work))' })).value).to.equal(2);
  });

  it('see the configuration of their selection', async () => {
    const seen: unknown[] = [];
    const configured = installed(
      'tools',
      ({ config }) => {
        seen.push(config);
        return undefined;
      },
      {
        configSchema: {
          type: 'object',
          properties: { depth: { type: 'integer', minimum: 1, maximum: 9 } },
          required: ['depth'],
          additionalProperties: false,
        },
      },
    );
    const selecting = (config: unknown) =>
      runs.run({ custom: [configured], body: '1', selected: { workflow: [{ name: 'tools', config }] } });
    expect((await selecting({ depth: 9 })).code).to.equal(null);
    expect(seen).to.deep.equal([{ depth: 9 }]);
    const refused: readonly (readonly [unknown, string])[] = [
      [{ depth: 10 }, 'field depth, rule ceiling'],
      [{ depth: 0 }, 'field depth, rule minimum'],
      [{ depth: 'x' }, 'field depth, rule type'],
      [{}, 'field depth, rule required'],
      [{ depth: 1, more: 1 }, 'unknown property'],
    ];
    for (const [config, message] of refused) {
      expect((await selecting(config)).envelope)
        .to.have.property('error')
        .that.deep.includes({ code: 'selection_invalid', message: `the provider selection is invalid: ${message}` });
    }
  });

  const refusals: readonly (readonly [string, CustomOpen, string])[] = [
    [
      'throws',
      () => {
        throw new Error('secret');
      },
      'provider_unavailable',
    ],
    ['rejects', async () => Promise.reject(new Error('secret')), 'provider_unavailable'],
    [
      'says why',
      () => acquisitionFailure('provider_endpoint_connection_refused'),
      'provider_endpoint_connection_refused',
    ],
    ['gives what is no session', () => JSON.parse('5'), 'provider_protocol_error'],
    ['gives functions that were not declared', () => ({ calls: { other: () => 1 } }), 'provider_protocol_error'],
    ['hangs', () => new Promise(() => undefined), 'provider_acquisition_timeout'],
  ];
  for (const [title, open, code] of refusals) {
    it(`one that ${title} is ${code}, and those before it are closed`, async () => {
      let closed = 0;
      const done = await runs.run({
        custom: [
          installed('first', () => ({
            close: () => {
              closed += 1;
            },
          })),
          installed('second', open, { openTimeoutMs: 30 }),
        ],
        body: '1',
      });
      expect(done.envelope)
        .to.have.property('error')
        .that.deep.includes({
          code,
          provider_activity: true,
          subject: {
            kind: 'provider',
            name: 'second',
            operation: 'acquisition',
            occurrence: { destination: 'workflow', index: 1 },
          },
        });
      expect([done.exitStatus, closed, done.envelope.execution]).to.deep.equal([
        4,
        1,
        { state: 'incomplete', usage: null, evaluation_memory: null, last_evaluation_error: null },
      ]);
      expect(JSON.stringify(done.envelope)).to.not.include('secret');
    });
  }

  it('a signal while one is opened ends the run before it has begun', async () => {
    const stop = new AbortController();
    let heard = false;
    const opening = installed(
      'first',
      ({ signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            heard = true;
          });
          stop.abort('SIGINT');
        }),
    );
    const done = await runs.run({ custom: [opening], body: '1', request: { signal: stop.signal } });
    expect([done.code, done.exitStatus, heard, done.envelope.artifact_class]).to.deep.equal([
      'internal_error',
      130,
      true,
      'normal',
    ]);
    expect(done.envelope).to.have.nested.property('error.message', 'the command was interrupted');
    expect(done.envelope.execution).to.have.property('state', 'incomplete');
  });

  it('a refusal beside a failing close keeps the refusal first', async () => {
    const done = await runs.run({
      custom: [
        installed('first', () => ({
          close: () => {
            throw new Error('secret');
          },
        })),
        installed('second', () => acquisitionFailure('provider_unavailable')),
      ],
      body: '1',
    });
    expect(done.envelope).to.have.nested.property('error.code', 'provider_unavailable');
    expect(done.envelope).to.have.nested.property('secondary_errors[0].code', 'provider_cleanup_failed');
  });

  it('a close that throws, or hangs, fails the run after its value, and no other is left open', async () => {
    for (const [close, code] of [
      [
        () => {
          throw new Error('secret');
        },
        'provider_cleanup_failed',
      ],
      [() => new Promise<void>(() => undefined), 'provider_cleanup_timeout'],
    ] as const) {
      let closed = 0;
      const done = await runs.run({
        custom: [
          installed('first', () => ({
            close: () => {
              closed += 1;
            },
          })),
          installed('second', () => ({ close })),
        ],
        host: { provider_cleanup_timeout_ms: 100 },
        body: '1',
      });
      expect([done.code, done.exitStatus, closed]).to.deep.equal([code, 7, 1]);
      expect(done.envelope.execution).to.include({ state: 'finished', outcome: 'ok' });
      expect(done.envelope.artifact_state.result).to.equal('not_written');
    }
  });

  it('are refused where they may not be selected, and where data may not go', async () => {
    const missionOnly = work(() => 1, {}, { destinations: ['mission'] });
    expect((await runs.run({ custom: [missionOnly], body: '1' })).code).to.equal('placement_denied');
    const secretive = work(
      () => 1,
      {},
      { alias: 'b', dataClass: 'private_inspection', acceptsData: ['private_inspection'] },
    );
    expect((await runs.run({ custom: [work(() => 1, { name: 'other' }), secretive], body: '1' })).code).to.equal(
      'data_policy_denied',
    );
    const done = await runs.run({ custom: [secretive], body: '1' });
    expect([done.code, done.envelope.artifact_class]).to.deep.equal([null, 'private']);
  });

  it('two names of one environment are ambiguous; an alias that nobody installed is unknown', async () => {
    expect((await runs.run({ custom: [work(() => 1), work(() => 2, {}, { alias: 'b' })], body: '1' })).code).to.equal(
      'dependency_invalid',
    );
    expect((await runs.run({ custom: [], body: '1', selected: { workflow: [{ name: 'tools' }] } })).code).to.equal(
      'provider_unknown',
    );
    expect((await runs.run({ custom: [], body: '(tool/work)' })).code).to.equal('capability_requirement_missing');
  });

  it('are seen when an application is prepared, and by the digests, and nothing of them is opened for that', async () => {
    let opened = 0;
    const open = (): undefined => {
      opened += 1;
    };
    const digestOf = async (over: Partial<CustomInstallationSpec>, capability = {}) => {
      const { installationDigests, effectiveDigest } = await runs.prepare({
        custom: [work(() => 1, capability, { open, ...over })],
        body: '1',
      });
      return [installationDigests['tools'], effectiveDigest];
    };
    const [config, effective] = await digestOf({});
    expect(await digestOf({})).to.deep.equal([config, effective]);
    expect(await digestOf({ revision: 'r2' })).to.satisfy(
      ([sameConfig, otherEffective]: readonly string[]) => sameConfig === config && otherEffective !== effective,
    );
    expect((await digestOf({}, { timeoutMs: 1 }))[0]).to.not.equal(config);
    expect((await digestOf({}, { effect: 'write' }))[0]).to.not.equal(config);
    expect(opened).to.equal(0);
  });

  it('leave a snapshot in run-started, of names and hashes only', async () => {
    const done = await runs.run({
      custom: [work(() => 1, { description: 'secret words', inputSchema: { description: 'secret schema' } })],
      body: '1',
    });
    const [snapshot] = Object(done.events[0]?.data['connector_snapshots']);
    expect(Object.keys(snapshot)).to.deep.equal(
      [
        'declaration',
        'acquisition',
        'acquisition_identity_hash',
        'installation_config_digest',
        'snapshot_hash',
      ].toSorted(),
    );
    expect(JSON.stringify(done.events)).to.not.include('secret');
    expect(snapshot.declaration).to.deep.include({
      name: 'tools',
      source: 'custom',
      installation_revision: 'r1',
      data_class: 'normal',
    });
  });

  const mistakes: readonly (readonly [
    string,
    Partial<CustomInstallationSpec> & { readonly capability?: object },
    RegExp,
  ])[] = [
    ['an alias of another form', { alias: 'Tools' }, /alias matches/],
    ['no revision', { revision: '' }, /revision/],
    ['no capability', { capabilities: [] }, /1 to 128 capabilities/],
    ['no destination', { destinations: [] }, /destinations/],
    ['a reserved name', { capability: { name: 'kernel-eval' } }, /reserved/],
    ['another reserved name', { capability: { name: 'cap-list' } }, /reserved/],
    ['an effect that is none', { capability: { effect: 'maybe' } }, /effect/],
    ['no time', { capability: { timeoutMs: 0 } }, /timeoutMs/],
    ['too much time', { capability: { timeoutMs: 300_001 } }, /timeoutMs/],
    ['no description', { capability: { description: '' } }, /description/],
    ['a schema that is none', { capability: { inputSchema: { type: 'nothing' } } }, /input schema/],
  ];
  for (const [title, { capability = {}, ...over }, message] of mistakes) {
    it(`cannot be defined with ${title}`, () => {
      const spec = {
        alias: 'tools',
        revision: 'r1',
        destinations: ['workflow'],
        capabilities: [
          { name: 'work', description: 'W.', inputSchema: true, effect: 'read', call: () => 1, ...capability },
        ],
        ...over,
      } as const;
      expect(() => defineCustomInstallation(Object(spec))).to.throw(TypeError, message);
    });
  }
});
