import { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import type { Database } from './database.ts';
import { openPgliteDatabase } from './pglite-database.ts';
import { makeTables } from './schema.ts';
import { Violation, explore } from './testing/model-explorer.ts';
import { transitionsOf, type Transitions } from './testing/model-rows.ts';

/**
 * Three workers, every interleaving, to the end: there is no bound of depth. The transitions are the statements
 * themselves.
 */
describe('the model of runs on many machines', () => {
  let pglite: PGlite;
  let database: Database;
  before(async () => {
    pglite = await PGlite.create();
    database = openPgliteDatabase(pglite);
    await makeTables(database);
  });
  after(async () => pglite.close());

  for (const rerunDispatched of [false, true]) {
    it(`holds in every state${rerunDispatched ? ', where a run that only read may be begun once more' : ''}`, async () => {
      const explored = await explore(transitionsOf(database, rerunDispatched));
      expect(explored.stuck).to.equal(0);
      expect([...explored.ends].toSorted()).to.deep.equal(['cancelled', 'finished', 'lost']);
      expect(explored.states).to.be.above(500);
      process.stdout.write(
        `        ${explored.states} states, ${explored.steps} steps, all within ${explored.depth} of the first\n`,
      );
    });
  }

  const faults: readonly {
    readonly fault: string;
    readonly found: RegExp;
    readonly broken: (whole: Transitions) => Partial<Transitions>;
  }[] = [
    {
      fault: 'a gate that does not look at the epoch',
      found: /two attempts|may have written/,
      broken: (whole) => ({ openWrites: async (row) => whole.openWrites(row, row.epoch) }),
    },
    {
      fault: 'a settle that does not look at the epoch',
      found: /two records|end was left/,
      broken: () => ({
        finish: async (row) => ({ row: { ...row, state: 'finished', hasRecord: true }, answer: true }),
      }),
    },
    {
      fault: 'a reaper that begins all again',
      found: /may have written/,
      broken: (whole) => ({
        reap: async (row, epoch) => {
          const reaped = await whole.reap(row, epoch);
          return reaped.answer === 'lost' ? { row: { ...reaped.row, state: 'accepted' }, answer: 'accepted' } : reaped;
        },
      }),
    },
    {
      fault: 'a gate that is opened and not noted',
      found: /two attempts|may have written/,
      broken: () => ({ openWrites: async (row) => ({ row, answer: row.state === 'running' }) }),
    },
  ];
  for (const { fault, found, broken } of faults) {
    it(`finds ${fault}`, async () => {
      const whole = transitionsOf(database, true);
      const violation = await explore({ ...whole, ...broken(whole) }).then(
        () => null,
        (error: unknown) => error,
      );
      expect(violation).to.be.instanceOf(Violation);
      expect(String(violation)).to.match(found);
    });
  }
});
