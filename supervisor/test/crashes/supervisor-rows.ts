import { findPostgres } from '../engine/postgres-server.ts';
import type { Row, Tests } from './matrix.ts';

const ENGINE = 'supervisor/service/engine/engine.test.ts';
const FAULTS = 'supervisor/test/supervisor/faults.suite.ts';
const HARM = 'supervisor/test/engine/random-harm.suite.ts';
const JOURNAL = 'supervisor/test/supervisor/journal.suite.ts';
const PARTITION = 'supervisor/test/engine/partition.suite.ts';
const PROBES = 'supervisor/test/supervisor/probes.suite.ts';
const RUNNERS = 'supervisor/test/engine/runners.suite.ts';
const STORES = 'supervisor/test/supervisor/stores.suite.ts';

const hasPostgres = findPostgres() !== null;

/** Tests that run where a PostgreSQL server is installed, as it is in CI; elsewhere the row says that they did not. */
function onPostgres(tests: Tests): Pick<Row, 'tests' | 'open'> {
  return hasPostgres ? { tests } : { tests: {}, open: 'no PostgreSQL on this machine' };
}

/** gateway.md §20: what is injected, and the tests that do. */
export const SUPERVISOR_ROWS: readonly Row[] = [
  {
    row: 'supervisor killed',
    tests: {
      [FAULTS]: ['a supervisor that is killed leaves no process behind'],
      [JOURNAL]: ['tells what was interrupted when the supervisor was killed'],
    },
  },
  {
    row: 'runner killed',
    ...onPostgres({
      [RUNNERS]: ['hands the run of a killed `svc runner` to another one'],
      'supervisor/test/engine/spent-budget.suite.ts': [
        'tokens that are left',
        'is lost where its tenant does not let it begin again',
      ],
      'supervisor/test/engine/example.suite.ts': ['hands that of a killed runner to the next'],
    }),
  },
  {
    row: 'sandbox host killed, hangs, floods IPC',
    tests: {
      [FAULTS]: [
        'a sandbox host that is killed takes the runs of its tenant',
        'a sandbox host that hangs costs the runs in it',
        'a sandbox host that floods its pipe',
      ],
      'sandbox/pool/pool.test.ts': ['tells a deadline that passed while the host itself was silent'],
      'sandbox/test/missions/continuations.suite.ts': [
        'survives a kill in the middle of an evaluation, which is told as a full memory',
      ],
    },
  },
  {
    row: 'secret provider slow, throws, rotates',
    tests: {
      [PROBES]: [
        'that throws: credential_unavailable',
        'that rejects: credential_unavailable',
        'that never answers: credential_unavailable',
        'whose answer has expired: credential_unavailable',
        'is asked by each run anew',
      ],
      'supervisor/service/stores/tenant-folder.test.ts': ['credentials are read whenever they are asked for'],
    },
  },
  {
    row: 'store of grants away, a grant revoked',
    tests: {
      'adapters/test/tools/grants.suite.ts': [
        'are not missing but unavailable where the store rejects or never answers',
        'are unavailable where the store fails while',
      ],
      'supervisor/service/stores/tenant-folder.test.ts': ['can be read by nobody once the key of their epoch is gone'],
    },
  },
  {
    row: 'credentials and grants of tenants change under a runner',
    ...onPostgres({ [RUNNERS]: ['has credentials and grants of each tenant from their folder'] }),
  },
  {
    row: 'artifact store down before or after execution',
    tests: {
      [STORES]: [
        'refuses a run whose places the store does not give',
        'tells a store that fails at … as a publication that failed',
      ],
    },
  },
  {
    row: 'journal down',
    tests: {
      [JOURNAL]: [
        'lets nothing begin while it is away',
        'lets a call of effect … leave while it is away',
        'does not let a call of effect … leave while it is away',
      ],
    },
  },
  {
    row: 'engine down',
    tests: {
      'supervisor/test/supervisor/engine.suite.ts': [
        'refuses runs while its database is down; those that wait go on waiting, and one that goes on is settled later',
      ],
      [ENGINE]: ['delivers again what the engine forgot'],
    },
  },
  {
    row: 'network split',
    ...onPostgres({
      [PARTITION]: [
        'both ways, gives its run up before another has it',
        'for its requests alone, gives',
        'for its answers alone, gives',
        'and asks to write, gives',
        'in the middle of a claim holds up nobody else',
      ],
    }),
  },
  {
    row: 'SIGSTOP and kill -9 of runners at random, the database restarted',
    ...onPostgres({ [HARM]: ['runs once, and no two attempts at one write'] }),
  },
  {
    row: 'a runner that comes late',
    tests: {
      [ENGINE]: ['lets a run that comes late open no gate and write no record'],
      'supervisor/service/engine/model.test.ts': ['holds in every state'],
    },
  },
  {
    row: 'poison application',
    tests: {
      [ENGINE]: ['what was left with effect none', 'begins no further run of an application of which five were lost'],
    },
  },
  {
    row: "one tenant's disk full",
    tests: {
      [FAULTS]: ['a tenant whose artifacts cannot be written is told so; the others go on'],
      [STORES]: ['has no room for one tenant'],
      'supervisor/test/supervisor/full-disk.suite.ts': ['by a limit of each file'],
    },
  },
  { row: 'clock skew', tests: { [FAULTS]: ['a wall clock that jumps moves no deadline'] } },
];
