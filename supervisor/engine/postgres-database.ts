import pg from 'pg';
import type { Database, Sql } from './database.ts';
import { rowsOf } from './database.ts';

/** Connections of one process at most; one more listens. */
const CONNECTIONS = 8;
const CONNECT_MS = 10_000;
/** A statement of ours that takes longer has met a database that does not answer. */
const ANSWER_MS = 15_000;
/** A transaction of which nothing more is heard is undone by the server: nobody else waits for what a process holds that is cut off. */
const UNHEARD_MS = 10_000;

/** A database of a PostgreSQL server; `url` as `postgres://user:password@host:port/name`. Connects when first asked. */
export function postgresDatabase(url: string, { connections = CONNECTIONS }: { readonly connections?: number } = {}): Database {
  const common = { connectionString: url, connectionTimeoutMillis: CONNECT_MS, keepAlive: true, application_name: 'svc' };
  const pool = new pg.Pool({ ...common, max: connections, query_timeout: ANSWER_MS, idle_in_transaction_session_timeout: UNHEARD_MS });
  // An idle connection that breaks is no fault: the next statement takes another.
  pool.on('error', ignore);
  return {
    backend: 'postgres',
    query: async (text, values) => rowsOf(await pool.query(text, values === undefined ? undefined : [...values])),
    transaction: async (work) => {
      const client = await pool.connect();
      let isBroken = false;
      client.on('error', ignore);
      try {
        await client.query('begin');
        const value = await work(sqlOf(client));
        await client.query('commit');
        return value;
      } catch (error) {
        isBroken = await client.query('rollback').then(() => false, () => true);
        throw error;
      } finally {
        client.off('error', ignore);
        client.release(isBroken);
      }
    },
    listen: async (channel, onNotification) => {
      const client = new pg.Client(common);
      client.on('error', ignore);
      client.on('notification', ({ payload = '' }) => onNotification(payload));
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      return async () => client.end();
    },
    close: async () => pool.end(),
  };
}

/** Of a connection: who uses it is told by its statement. */
function ignore(): void {}

function sqlOf(client: pg.PoolClient): Sql {
  return { query: async (text, values) => rowsOf(await client.query(text, values === undefined ? undefined : [...values])) };
}
