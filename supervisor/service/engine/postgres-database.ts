import { setTimeout as after } from 'node:timers/promises';
import pg from 'pg';
import { checkArguments, nonEmptyText } from '../../platform/arguments/checks.ts';
import { connectionOptions } from './arguments.ts';
import { rowsOf, type Database, type Sql } from './database.ts';

/** Connections of one process at most; one more listens. */
const CONNECTIONS = 8;
const CONNECT_MS = 10_000;
/** A statement of ours that takes longer has met a database that does not answer. */
const ANSWER_MS = 15_000;
/**
 * A transaction of which nothing more is heard is undone by the server: nobody else waits for what a process holds that
 * is cut off.
 */
const UNHEARD_MS = 10_000;
const LOCK_AGAIN_MS = 20;

/** A database of a PostgreSQL server; `url` as `postgres://user:password@host:port/name`. Connects when first asked. */
export function openPostgresDatabase(url: string, options: { readonly connections?: number } = {}): Database {
  checkArguments('openPostgresDatabase', { url: [url, nonEmptyText], options: [options, connectionOptions] });
  const { connections = CONNECTIONS } = options;
  const common = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'svc',
  };
  const pool = new pg.Pool({
    ...common,
    max: connections,
    query_timeout: ANSWER_MS,
    idle_in_transaction_session_timeout: UNHEARD_MS,
  });
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
        isBroken = await client.query('rollback').then(
          () => false,
          () => true,
        );
        throw error;
      } finally {
        client.off('error', ignore);
        client.release(isBroken);
      }
    },
    exclusively: async (work) => {
      const client = new pg.Client(common);
      client.on('error', ignore);
      await client.connect();
      try {
        // Asked again and again in place of waiting in the server: a wait would end with the time that a statement has.
        while (!(await isLocked(client))) await after(LOCK_AGAIN_MS);
        return await work();
      } finally {
        // The lock goes with its connection.
        await client.end().catch(ignore);
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

async function isLocked(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ readonly locked: boolean }>(
    `select pg_try_advisory_lock(hashtext('svc tables')) as locked`,
  );
  return rows[0]?.locked === true;
}

/** Of a connection: its user learns it from its statement. */
function ignore(): void {}

function sqlOf(client: pg.PoolClient): Sql {
  return {
    query: async (text, values) => rowsOf(await client.query(text, values === undefined ? undefined : [...values])),
  };
}
