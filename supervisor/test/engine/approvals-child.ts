/**
 * Does one thing to a store of approvals, and kills itself at one of its effects. Arguments: a database or a directory,
 * what to do, the effect (`STEP N before|after`, or `none`). Without one it prints the effects that there were.
 */
import { publicationTools } from '../../evidence/publication/published-files.ts';
import type { Database } from '../../service/engine/database.ts';
import { openPostgresDatabase } from '../../service/engine/postgres-database.ts';
import { postgresApprovals } from '../../service/engine/postgres-approvals.ts';
import type { ApprovalStore } from '../../service/stores/approval-store.ts';
import { fileApprovals } from '../../service/stores/file-approvals.ts';
import { DENY, ONE, question, START } from '../../service/stores/testing/approval-contract.ts';
import { JOURNAL, killingFileSystem, STEPS, type Kill, type Step } from '../crashes/killing-file-system.ts';

const [place = '', task = '', step = '', nth = '0', when = 'before'] = process.argv.slice(2);
const isBefore = when === 'before';
const QUERY = 'query';
let queries = 0;

/** Dies before or after one of its statements. */
function killingDatabase(real: Database): Database {
  return {
    ...real,
    query: async (text, values) => {
      const isHere = step === QUERY && queries === Number(nth);
      queries += 1;
      if (isHere && isBefore) process.kill(process.pid, 'SIGKILL');
      const rows = await real.query(text, values);
      if (isHere) process.kill(process.pid, 'SIGKILL');
      return rows;
    },
  };
}

function fileKill(): Kill | null {
  const steps: readonly Step[] = [...STEPS, JOURNAL];
  const known = steps.find((one) => one === step);
  return known === undefined ? null : { step: known, nth: Number(nth), when: isBefore ? 'before' : 'after' };
}

const isDatabase = place.startsWith('postgres:');
const files = killingFileSystem(publicationTools().fileSystem, fileKill());
const database = isDatabase ? openPostgresDatabase(place, { connections: 1 }) : null;
const store: ApprovalStore =
  database === null
    ? fileApprovals({ ...publicationTools(), fileSystem: files.fileSystem }, place, { now: () => START })
    : postgresApprovals(killingDatabase(database));
if (task === 'put') await store.put(question('1'));
if (task === 'decide') await store.decide(ONE, null, DENY);
if (task === 'expire') await store.expire(ONE);
await database?.close();
process.stdout.write(JSON.stringify(isDatabase ? { [QUERY]: queries } : files.counts()));
