import { openPostgresDatabase } from './postgres-database.ts';
import { readEngineStatus, type EngineStatus } from './status.ts';

export type { EngineStatus } from './status.ts';

/**
 * What waits and goes on in a database of runs, and who takes them; null where it cannot be reached, or holds no runs.
 * Makes nothing.
 */
export async function readRunnerStatus(databaseUrl: string): Promise<EngineStatus | null> {
  const database = openPostgresDatabase(databaseUrl, { connections: 1 });
  try {
    return await readEngineStatus(database);
  } catch {
    // Whatever it is, the command says what it needs.
    return null;
  } finally {
    await database.close().catch(() => undefined);
  }
}
