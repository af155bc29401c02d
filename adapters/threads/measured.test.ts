import { expect } from 'chai';
import { measureProcessor } from './measured.ts';

describe('the work of a task', () => {
  it('is what its thread used meanwhile, of programs and of the system', async () => {
    const used = { user: 700, system: 50 };
    const found = await measureProcessor(
      async () => {
        used.user += 2000;
        await Promise.resolve();
        used.system += 500;
        return 'done';
      },
      () => ({ ...used }),
    );
    expect(found).to.deep.equal({ result: 'done', processorMs: 2.5 });
  });
});
