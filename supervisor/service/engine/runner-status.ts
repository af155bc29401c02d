import { postgresDatabase } from './postgres-database.ts';
import { engineStatus, type EngineStatus } from './status.ts';

export type { EngineStatus } from './status.ts';

/**
 * What waits and goes on in a database of runs, and who takes them; null where it cannot be reached, or holds no runs.
 * Makes nothing.
 */
export async function runnerStatus(databaseUrl: string): Promise<EngineStatus | null> {
  const database = postgresDatabase(databaseUrl, { connections: 1 });
  try {
    return await engineStatus(database);
  } catch {
    // Whatever it is, the command says what it needs.
    return null;
  } finally {
    await database.close().catch(() => undefined);
  }
}
