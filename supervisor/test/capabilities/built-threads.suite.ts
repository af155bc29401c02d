import { expect } from 'chai';
import { join } from 'node:path';
import { Tinypool } from 'tinypool';

const dist = join(import.meta.dirname, '../../../dist');

describe('threads of the built program', () => {
  it('check values against schemas, from files that need no package', async () => {
    const pool = new Tinypool({ filename: join(dist, 'schema-thread.cjs'), minThreads: 0, maxThreads: 1, env: {} });
    const ask = async (value: string): Promise<unknown> => {
      const answer: unknown = await pool.run({ key: 'text', schema: '{"type":"string"}', value });
      return answer;
    };
    expect([await ask('"b"'), await ask('5')]).to.deep.equal([
      [],
      [{ rule: 'type', schema_path: '#/type', expected: 'string', given: 'integer' }],
    ]);
    await pool.destroy();
  });

  it('and are made by a pool that stands beside it', async () => {
    const built: unknown = await import(join(dist, 'tinypool/index.js'));
    expect(built).to.have.property('Tinypool');
  });
});
