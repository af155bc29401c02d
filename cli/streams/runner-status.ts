import { canonicalJson } from '../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import type { EngineStatus } from '../../supervisor/api/runner.ts';
import { visibleText } from '../../contract/visible-text.ts';

/** For other programs: one line of JSON. */
export function statusJson({ runs, applications, tenants, workers }: EngineStatus): string {
  const queue = ({
    waiting,
    running,
    oldestWaitingSeconds,
  }: EngineStatus['tenants'][number] | EngineStatus['applications'][number]) => ({
    waiting,
    running,
    oldest_waiting_seconds: oldestWaitingSeconds,
  });
  const json = jsonFromPlain({
    runs,
    applications: applications.map((one) => ({
      application_digest: one.applicationDigest,
      ...queue(one),
      runners: one.workers,
    })),
    tenants: tenants.map((one) => ({ tenant: one.tenant, ...queue(one) })),
    runners: workers.map(({ applicationDigest, slots, running }) => ({
      application_digest: applicationDigest,
      slots,
      running,
    })),
  });
  if (json === undefined) throw new TypeError('counts and names are plain data');
  return canonicalJson(json);
}

/** For people: what waits first, and whether anybody takes it. */
export function statusText({ runs, applications, tenants, workers }: EngineStatus): string {
  const { accepted, claimed, running, finished, cancelled, lost } = runs;
  return [
    `runs: ${accepted} waiting, ${claimed + running} running, ${finished} finished, ${cancelled} cancelled, ${lost} lost`,
    `runners: ${workers.length}, ${workers.reduce((sum, worker) => sum + worker.running, 0)} of ${workers.reduce((sum, worker) => sum + worker.slots, 0)} slots in use`,
    ...applications.map(
      (one) =>
        `application ${visibleText(one.applicationDigest)}: ${queueWords(one)}, ${one.workers === 0 ? 'no runner takes them' : `runners: ${one.workers}`}`,
    ),
    ...tenants.map((one) => `tenant ${visibleText(one.tenant)}: ${queueWords(one)}`),
    '',
  ].join('\n');
}

function queueWords({
  waiting,
  running,
  oldestWaitingSeconds: oldest,
}: EngineStatus['tenants'][number] | EngineStatus['applications'][number]): string {
  return `${waiting} waiting${oldest === null ? '' : ` (the oldest for ${Math.floor(oldest)} s)`}, ${running} running`;
}
