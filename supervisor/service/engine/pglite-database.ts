import { checkArguments } from '../../platform/arguments/checks.ts';
import { aPglite } from './arguments.ts';
import { rowsOf, type Database, type Row } from './database.ts';

interface PgliteResult {
  readonly rows: object[];
}

interface PgliteSql {
  query(text: string, values: unknown[]): Promise<PgliteResult>;
  exec(text: string): Promise<PgliteResult[]>;
}

/** As far as we use it, a PGlite of `@electric-sql/pglite`. */
export interface PgliteInstance extends PgliteSql {
  transaction<T>(work: (transaction: PgliteSql) => Promise<T>): Promise<T>;
  listen(channel: string, onNotification: (payload: string) => void): Promise<() => Promise<void>>;
}

/** Nobody but the programs of this process reaches an embedded database: each waits for the one before it. */
const turns = new WeakMap<PgliteInstance, Promise<unknown>>();

async function runInTurn<T>(pglite: PgliteInstance, work: () => Promise<T>): Promise<T> {
  const done = (turns.get(pglite) ?? Promise.resolve()).then(work, work);
  turns.set(
    pglite,
    done.catch(() => undefined),
  );
  return done;
}

/**
 * The embedded database that the calling program opened: for tests and first steps, of one process. It closes it
 * itself.
 */
export function openPgliteDatabase(pglite: PgliteInstance): Database {
  checkArguments('openPgliteDatabase', { pglite: [pglite, aPglite] });
  return {
    backend: 'pglite',
    query: async (text, values) => ask(pglite, text, values),
    transaction: async (work) =>
      pglite.transaction(async (transaction) =>
        work({ query: async (text, values) => ask(transaction, text, values) }),
      ),
    exclusively: async (work) => runInTurn(pglite, work),
    listen: async (channel, onNotification) => {
      const end = await pglite.listen(channel, onNotification);
      return async () => end();
    },
    close: async () => undefined,
  };
}

/** Several statements together take no values and another way. */
async function ask(sql: PgliteSql, text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  const results = values.length > 0 ? [await sql.query(text, [...values])] : await sql.exec(text);
  return rowsOf(results.map(({ rows }) => ({ rows: rows.map((row): Row => ({ ...row })) })));
}
