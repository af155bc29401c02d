import { expect } from 'chai';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useEmbedding } from './embedded.ts';

describe('what an embedding program asks of a run (docs/custom-capabilities.md)', () => {
  const runs = useEmbedding();

  it('an input that replaces the declared one, normal or private', async () => {
    await writeFile(join(runs.root(), 'in.json'), '{"n":1}');
    const done = await runs.run({ body: '(get input "n")', request: { input: { path: 'in.json', dataClass: 'normal' } } });
    expect([done.code, done.value, done.envelope.artifact_class]).to.deep.equal([null, 1, 'normal']);
    const confined = await runs.run({ body: '(get input "n")', request: { input: { path: join(runs.root(), 'in.json'), dataClass: 'private' } } });
    expect([confined.code, confined.value, confined.envelope.artifact_class]).to.deep.equal([null, undefined, 'private']);
  });

  it('destinations, from the working directory unless absolute', async () => {
    await mkdir(join(runs.root(), 'traces'));
    const destinations = { traceDirectory: 'traces', inspection: './run.svcins', output: join(runs.root(), 'value.json') };
    const done = await runs.run({ body: '7', request: { destinations } });
    expect(done.envelope.artifact_state).to.deep.equal({ trace: 'written', inspection: 'written', result: 'written' });
    expect(await readFile(join(runs.root(), 'value.json'), 'utf8')).to.equal('7');
    expect([await readdir(join(runs.root(), 'traces')), (await readdir(runs.root())).includes('run.svcins')]).to.deep.equal([[`${done.envelope.run_ref}.jsonl`], true]);
    const again = await runs.run({ body: '8', request: { destinations: { output: 'value.json' } } });
    expect([again.code, await readFile(join(runs.root(), 'value.json'), 'utf8')]).to.deep.equal(['destination_exists', '7']);
  });
});
