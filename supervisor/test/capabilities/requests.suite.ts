import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useSupervisor } from './runs.ts';
import { finished, supervise } from './supervised.ts';

const text = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const FILES = new Map([
  [
    'svc.json',
    text({
      version: 1,
      workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
      missions: {},
      input: { value: {} },
    }),
  ],
  ['main.clj', text('(ns main)\n(defn run [input] (get input "n"))\n')],
]);

describe('what a program asks of a run (docs/guides/embedding.md)', () => {
  const runs = useSupervisor();

  it('an input that replaces the declared one, normal or private', async () => {
    const done = await runs.run({ body: '(get input "n")', request: { input: { n: 1 } } });
    expect([done.code, done.value, done.envelope.artifact_class]).to.deep.equal([null, 1, 'normal']);
    const confined = await runs.run({ body: '(get input "n")', request: { input: { n: 1 }, inputClass: 'private' } });
    expect([confined.code, confined.value, confined.envelope.artifact_class]).to.deep.equal([
      null,
      undefined,
      'private',
    ]);
  });

  it('artifacts below the folder of its tenant, each with its length and hash', async () => {
    const supervisor = await supervise({ artifacts: join(runs.root(), 'left') });
    try {
      const application = await supervisor.prepare({ kind: 'memory', files: FILES });
      const request = { input: { n: 7 }, tenant: 'a', artifacts: { trace: true, inspection: true, result: true } };
      const end = finished(await supervisor.run(application, request).result);
      expect(end.envelope.artifact_state).to.deep.equal({ trace: 'written', inspection: 'written', result: 'written' });
      expect(end.artifacts.map(({ kind }) => kind)).to.deep.equal(['trace', 'inspection', 'result']);
      for (const { uri, bytes, sha256 } of end.artifacts) {
        expect(fileURLToPath(uri)).to.include(join(runs.root(), 'left/a/'));
        const content = await readFile(fileURLToPath(uri));
        expect([content.length, createHash('sha256').update(content).digest('hex')]).to.deep.equal([bytes, sha256]);
      }
      const confined = finished(
        await supervisor.run(application, { input: { n: 8 }, tenant: 'b', inputClass: 'private' }).result,
      );
      expect([confined.valueText, confined.artifacts.map(({ kind }) => kind)]).to.deep.equal([null, ['result']]);
      expect(await readFile(fileURLToPath(String(confined.artifacts[0]?.uri)), 'utf8')).to.equal('8');
    } finally {
      await supervisor.close();
    }
  });
});
