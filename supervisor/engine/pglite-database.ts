import type { PGliteInterface, Transaction } from '@electric-sql/pglite';
import type { Database, Row } from './database.ts';
import { rowsOf } from './database.ts';

/** The embedded database that the calling program opened: for tests and first steps, of one process. It closes it itself. */
export function pgliteDatabase(pglite: PGliteInterface): Database {
  return {
    backend: 'pglite',
    query: async (text, values) => ask(pglite, text, values),
    transaction: async (work) => pglite.transaction(async (transaction) => work({ query: async (text, values) => ask(transaction, text, values) })),
    listen: async (channel, onNotification) => {
      const end = await pglite.listen(channel, onNotification);
      return async () => end();
    },
    close: async () => undefined,
  };
}

/** Several statements together take no values and another way. */
async function ask(sql: PGliteInterface | Transaction, text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  return values.length > 0 ? rowsOf(await sql.query<Row>(text, [...values])) : rowsOf((await sql.exec(text)).map(({ rows }) => ({ rows: rows.map((row): Row => ({ ...row })) })));
}
