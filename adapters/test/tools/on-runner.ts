import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '../../../conformance/until.ts';
import { newJob, openEngine, openPostgresDatabase, openPostgresJournal } from '../../../supervisor/api/engine.ts';

/** Performs one run of a tenant and tells its value, or the code that it ended with. */
export type Performed = (who: { readonly tenant: string; readonly principal: string }) => Promise<unknown>;

/** What a `svc runner` makes of the application in a folder, whose tenants have their folders beside it. */
export async function onRunner<T>(
  { folder, databaseUrl }: { readonly folder: string; readonly databaseUrl: string },
  work: (performed: Performed) => Promise<T>,
): Promise<T> {
  const database = openPostgresDatabase(databaseUrl);
  const engine = await openEngine(database);
  const journal = openPostgresJournal(database);
  const runner = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../../../dist/svc.cjs'),
      'runner',
      join(folder, 'svc.json'),
      '--host-config',
      join(folder, 'host.json'),
      '--database',
      databaseUrl,
      '--tenant-store',
      folder,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(runner, 'exit');
  try {
    const [line]: unknown[] = await once(runner.stderr, 'data');
    const applicationDigest = /takes runs of (\S+)/.exec(String(line))?.[1] ?? String(line);
    return await work(async (who) => {
      const job = newJob({ ...who, applicationDigest });
      await engine.enqueue(job);
      const record = await until('its record', async () => {
        const now = await journal.get(job.runRef);
        return now?.state === 'finished' || now?.state === 'lost' ? now : undefined;
      });
      const { result, error } = Object(record.envelope);
      return error === undefined ? result.value : error.code;
    });
  } finally {
    runner.kill('SIGTERM');
    await ended;
    await engine.close();
    await database.close();
  }
}
