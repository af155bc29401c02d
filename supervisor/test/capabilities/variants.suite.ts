import { expect } from 'chai';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineCustomInstallation, type CustomInstallation } from '../../api/supervisor.ts';
import { useSupervisor, work } from './runs.ts';

/** An installation of as many capabilities; `onOpen` makes it one that was reached. */
function many(alias: string, count: number, onOpen?: () => void): CustomInstallation {
  return defineCustomInstallation({
    alias,
    revision: 'r1',
    destinations: ['workflow'],
    capabilities: Array.from({ length: count }, (_, index) => ({
      name: `${alias}-${index}`,
      description: 'x',
      inputSchema: true,
      effect: 'read',
      call: () => 1,
    })),
    ...(onOpen === undefined
      ? {}
      : {
          open: () => {
            onOpen();
            return undefined;
          },
        }),
  });
}

const MANY = ['a', 'b', 'c', 'd'].map((alias) => many(alias, 128));

describe('variants of the envelope with providers (runtime.md §3)', () => {
  const runs = useSupervisor();

  it('capacity: 512 usage keys pass, one more is refused, with what was reached by then', async () => {
    expect((await runs.run({ custom: MANY, body: '1' })).code).to.equal(null);
    const inert = await runs.run({ custom: [...MANY, many('e', 1)], body: '1' });
    expect([inert.code, inert.exitStatus, inert.envelope.execution]).to.deep.equal([
      'limit_capacity_invalid',
      3,
      { state: 'not_started' },
    ]);
    let opened = 0;
    const reached = await runs.run({
      custom: [
        ...MANY,
        many('e', 1, () => {
          opened += 1;
        }),
      ],
      body: '1',
    });
    expect(reached.envelope)
      .to.have.property('error')
      .that.deep.includes({ code: 'limit_capacity_invalid', provider_activity: true });
    expect([opened, reached.envelope.artifact_class, reached.envelope.execution]).to.deep.equal([
      1,
      'normal',
      { state: 'incomplete', usage: null, evaluation_memory: null, last_evaluation_error: null },
    ]);
    expect(reached.envelope.artifact_state).to.deep.equal({
      trace: 'not_written',
      inspection: 'not_written',
      result: 'not_written',
    });
  });

  it('classified: what a component requires and nobody supplies, after a provider was opened', async () => {
    const done = await runs.run({ custom: [many('a', 1, () => undefined)], body: '[(tool/absent) (tool/gone)]' });
    expect(done.envelope).to.have.property('error').that.deep.includes({
      code: 'capability_requirement_missing',
      message: 'Missing capability requirements: absent, gone',
      provider_activity: true,
    });
    expect([done.exitStatus, done.envelope.artifact_class]).to.deep.equal([4, 'normal']);
  });

  it('unclassified: a refused declaration reaches nobody', async () => {
    let opened = 0;
    const done = await runs.run({
      custom: [
        many('a', 1, () => {
          opened += 1;
        }),
      ],
      body: '1',
      selected: { workflow: [{ name: 'a', config: { more: 1 } }] },
    });
    expect([done.code, done.envelope.artifact_class, done.envelope.execution, opened]).to.deep.equal([
      'selection_invalid',
      'unclassified',
      { state: 'not_started' },
      0,
    ]);
  });

  it('classified: the workflow failed, with all that was used', async () => {
    const done = await runs.run({ custom: [work(() => 1)], body: '(do (tool/work) (fail {:kind :invalid-input}))' });
    expect([done.code, done.exitStatus]).to.deep.equal(['explicit_failure', 5]);
    expect(done.envelope.execution).to.include({ state: 'finished', outcome: 'error' });
    expect(done.envelope).to.have.nested.property('error.provider_activity', true);
    expect(done.events.at(-1)?.data).to.include({ outcome: 'error', failure_kind: 'invalid-input' });
  });

  it('classified: an evaluator error after calls tells its kind', async () => {
    const done = await runs.run({ custom: [work(() => 0)], body: '(quot 1 (:value (tool/work)))' });
    expect(done.envelope.execution)
      .to.have.property('last_evaluation_error')
      .that.deep.includes({ kind: 'arithmetic_error' });
    expect(done.usage['capability_calls']).to.deep.equal({ 'workflow/work': 1 });
  });

  it('recovery written: a private value whose target appeared while a function ran', async () => {
    let root = '';
    const intruder = work(async () => {
      const folder = join(root, '.svc/results');
      const recovery = (await readdir(folder)).find((name) => name.startsWith('.svc-private-result-'));
      const reference = /cmd-[0-9a-z]{26}/.exec(recovery ?? '')?.[0] ?? '';
      await writeFile(join(folder, `${reference}.private.json`), 'foreign');
      return 1;
    });
    root = runs.root();
    const done = await runs.run({ custom: [intruder], privateEvents: true, body: '(:value (tool/work))' });
    expect(done.envelope).to.have.nested.property('error.code', 'destination_collision');
    expect(done.envelope.artifact_state.result).to.equal('recovery_written');
    const names = await readdir(join(root, '.svc/results'));
    const recovery = names.find((name) => name.startsWith('.svc-private-result-'));
    expect(await readFile(join(root, '.svc/results', recovery ?? ''), 'utf8')).to.equal('1');
  });

  it('a clean-up that fails beside a failed workflow comes first, and both are told', async () => {
    const failing = work(
      () => 1,
      {},
      {
        open: () => ({
          close: () => {
            throw new Error('secret');
          },
        }),
      },
    );
    const done = await runs.run({ custom: [failing], body: '(fail 1)' });
    expect([done.code, done.exitStatus]).to.deep.equal(['provider_cleanup_failed', 7]);
    expect(done.envelope).to.have.nested.property('secondary_errors[0].code', 'explicit_failure');
    expect(done.envelope.execution).to.include({ state: 'finished', outcome: 'error' });
  });
});
