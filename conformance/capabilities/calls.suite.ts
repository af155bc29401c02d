import { expect } from 'chai';
import { work, useEmbedding } from './embedded.ts';

describe('custom capabilities in a real run (runtime.md §5)', () => {
  const runs = useEmbedding();

  it('a workflow calls a function and gets its value', async () => {
    const double = work(({ n }) => ({ doubled: Number(n) * 2 }), { inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } });
    const done = await runs.run({ custom: [double], body: '(tool/work {:n 21})' });
    expect([done.unexpected, done.code, done.value]).to.deep.equal([null, null, { status: 'ok', value: { doubled: 42 } }]);
    expect(done.usage['capability_calls']).to.deep.equal({ 'workflow/work': 1 });
    expect(done.events.map(({ type }) => type)).to.deep.equal(['run-started', 'evaluation-started', 'capability-started', 'capability-stopped', 'evaluation-stopped', 'run-stopped']);
  });
});
