/**
 * A runner that does nothing but what can be counted: it writes down that it began, opens the gate of writes, writes
 * down that it wrote, and ends. With times that let a test see takeovers. Arguments: database, slots.
 */
import { openEngine } from '../../service/engine/engine.ts';
import { openPostgresDatabase } from '../../service/engine/postgres-database.ts';
import { SHORT_TIMES } from './short-times.ts';

const [url = '', slots = '1'] = process.argv.slice(2);
const database = openPostgresDatabase(url, { connections: 6 });

async function untilThere<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await work().then(
      (value) => ({ value }),
      () => null,
    );
    if (done !== null) return done.value;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}

const engine = await untilThere(() => openEngine(database, SHORT_TIMES));
engine.work({ slots: Number(slots) }, async (lease) => {
  const { runRef } = lease.job;
  await database.query('insert into attempts (run_ref, epoch) values ($1, $2)', [runRef, lease.attempt]);
  // Some runs only read.
  const reads = runRef.endsWith('0') || runRef.endsWith('1');
  if (!(await lease.gate(reads ? 'dispatched' : 'write_open'))) throw new Error('not ours');
  if (!reads)
    await untilThere(() =>
      database.query('insert into writes (run_ref, epoch, pid) values ($1, $2, $3)', [
        runRef,
        lease.attempt,
        process.pid,
      ]),
    );
  await new Promise((resolve) => {
    setTimeout(resolve, 10);
  });
  return { state: 'finished', envelope: { by: lease.attempt } };
});
process.stdout.write('ready\n');
