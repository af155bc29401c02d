import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leaveOut } from '../../../conformance/left-out.ts';

/** Where Debian keeps its servers, one folder for each version. */
const VERSIONS = '/usr/lib/postgresql';
/** Who may own a cluster where we are root, which the server refuses to be. */
const UNPRIVILEGED = ['postgres', 'nobody'];

/** The folder of a PostgreSQL server's programs; null where none is installed. */
export function findPostgres(): string | null {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).map((version) => join(VERSIONS, version, 'bin')) : [];
  const folders = [...versions.toReversed(), ...(process.env['PATH'] ?? '').split(':')];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null;
}

/** The same for the tests of a title, which are left out where no server is installed. */
export function findPostgresFor(title: string): string | null {
  const programs = findPostgres();
  if (programs === null) leaveOut(title, { what: 'a PostgreSQL server (Debian package postgresql)' });
  return programs;
}

/** A server of its own: a new cluster in a temporary folder, reached by a socket in it. */
export interface PostgresServer {
  /** Where it listens. */
  readonly socket: string;
  /** Of an empty database that is made for the caller. */
  newDatabase(): string;
  /** Ends it at once, as a machine that loses its power, and starts it again. */
  crash(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

function clusterUser(): User | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of UNPRIVILEGED) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout.trim());
    if (uid !== undefined && uid !== '' && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('there is no user who may own a cluster');
}

export async function startPostgres(programs: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'));
  const user = clusterUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { cwd: folder, ...user };
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'svc', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'],
    { ...options, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const server = serverOf(programs, { folder, data, options });
  await server.start();
  return server;
}

interface Cluster {
  readonly folder: string;
  readonly data: string;
  readonly options: { readonly cwd: string; readonly uid?: number; readonly gid?: number };
}

function serverOf(programs: string, { folder, data, options }: Cluster): PostgresServer {
  let child: ReturnType<typeof spawn> | null = null;
  let databases = 0;
  const urlOf = (name: string): string => `postgres://svc@/${name}?host=${encodeURIComponent(folder)}`;
  const ask = (statement: string) =>
    spawnSync(join(programs, 'psql'), ['-h', folder, '-U', 'svc', '-d', 'postgres', '-qc', statement], {
      encoding: 'utf8',
    });

  async function start(): Promise<void> {
    const started = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=100'],
      { ...options, stdio: ['ignore', 'ignore', 'ignore'] },
    );
    child = started;
    while (ask('select 1').status !== 0) {
      if (started.exitCode !== null) throw new Error('the server did not start');
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  }
  async function end(signal: 'SIGQUIT' | 'SIGINT'): Promise<void> {
    const ending = child;
    child = null;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill(signal);
    await ended;
  }
  return {
    socket: join(folder, '.s.PGSQL.5432'),
    newDatabase: () => {
      databases += 1;
      const name = `svc_${databases}`;
      const made = ask(`create database ${name}`);
      if (made.status !== 0) throw new Error(made.stderr);
      return urlOf(name);
    },
    crash: async () => end('SIGQUIT'),
    start,
    close: async () => {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
