import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../conformance/until.ts';
import { startModelServer, type ModelServer } from '../../../conformance/servers/llm/server.ts';
import { newJob, openPostgresJournal, type RunRecord } from '../../api/engine.ts';
import type { Database } from '../../service/engine/database.ts';
import { openEngine, type DatabaseEngine } from '../../service/engine/engine.ts';
import { openPostgresDatabase } from '../../service/engine/postgres-database.ts';
import { findPostgresFor, startPostgres, type PostgresServer } from './postgres-server.ts';

const OUTPUT_TOKENS = 100;
/**
 * What one call is reserved at, and uses: the canonical bytes of its request, what it can have beyond them, and its
 * output.
 */
const CALL = '{"messages":[{"content":"good morning","role":"user"}]}'.length + 256 + OUTPUT_TOKENS;
const PROGRAM =
  '(ns main)\n(defn run [input] (mapv (fn [_] (:status (tool/llm-request {:messages [{:role "user" :content "good morning"}]}))) (range 3)))\n';
const ANSWER = { answer: { text: 'good morning', usage: { input: CALL - 1, output: 1 } } };

const programs = findPostgresFor('a run whose runner is killed once it has spent on models');
if (programs !== null) {
  describe('a run whose runner is killed once it has spent on models (gateway.md §19, §20)', function () {
    this.timeout(300_000);
    let server: PostgresServer;
    let database: Database;
    let engine: DatabaseEngine;
    let url = '';
    let folder = '';
    let models: ModelServer | null = null;
    const children = new Set<ChildProcess>();
    before(async () => {
      server = await startPostgres(programs);
    });
    after(async () => server.close());
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'svc-spent-'));
      url = server.newDatabase();
      database = openPostgresDatabase(url, { connections: 4 });
      engine = await openEngine(database);
    });
    afterEach(async () => {
      for (const child of children) child.kill('SIGKILL');
      children.clear();
      await engine.close();
      await database.close();
      await models?.close();
      await rm(folder, { recursive: true, force: true });
    });

    async function writeApplication(modelUrl: string, tokens: number): Promise<string> {
      const limits = { llm_total_tokens: tokens };
      const documents = {
        'svc.json': {
          version: 1,
          workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
          missions: {},
          providers: { workflow: [{ name: 'small' }] },
          limits: {
            ...limits,
            llm_request_output_tokens: OUTPUT_TOKENS,
            run_duration_ms: 120_000,
            workflow_timeout_ms: 120_000,
          },
          input: { value: {} },
        },
        'svc-host.json': {
          credentials: { key: { literal: 'k' } },
          limits,
          install: {
            small: {
              source: 'llm',
              installation_revision: 'r1',
              model: `openai-compat:${modelUrl}/v1|m`,
              credential: 'key',
              structured_output_mode: 'unsupported',
              usage_guarantees: { tokens: true, cost_currency: null },
            },
          },
        },
        'svc-project.json': {
          kind: 'svc-project',
          version: 1,
          application: { path: 'svc.json' },
          host: { path: 'svc-host.json' },
        },
      };
      for (const [name, content] of Object.entries(documents))
        await writeFile(join(folder, name), JSON.stringify(content));
      await writeFile(join(folder, 'main.clj'), PROGRAM);
      return join(folder, 'svc-project.json');
    }
    async function startRunner(project: string): Promise<{ readonly child: ChildProcess; readonly digest: string }> {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'serve-runs-child.ts'), url, project], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.add(child);
      const [digest]: unknown[] = await once(child.stdout, 'data');
      return { child, digest: String(digest) };
    }
    const endOf = async (runRef: RunRecord['runRef']): Promise<RunRecord> =>
      until('the end of the run', async () => {
        const record = await openPostgresJournal(database).get(runRef);
        return record?.state === 'finished' || record?.state === 'lost' ? record : undefined;
      });

    /** The first attempt is killed while its second call goes on: what both cost is gone. */
    for (const [left, statuses] of [
      [CALL - 1, ['error', 'error', 'error']],
      [CALL, ['ok', 'error', 'error']],
      [2 * CALL - 1, ['ok', 'error', 'error']],
      [2 * CALL, ['ok', 'ok', 'error']],
    ] as const) {
      it(`goes on with the ${left} tokens that are left, of which each call reserves ${CALL}, and with no more`, async () => {
        const requested = Promise.withResolvers<void>();
        models = await startModelServer({
          script: [{ action: ANSWER }, { action: { fault: 'silent' } }, { times: 'any', action: ANSWER }],
          onRequest: ({ number }) => {
            if (number === 2) requested.resolve();
          },
        });
        const tokens = 2 * CALL + left;
        const project = await writeApplication(models.url, tokens);
        const { child, digest } = await startRunner(project);
        const job = newJob({ tenant: 'acme', applicationDigest: digest, limits: { rerunDispatched: true } });
        await engine.enqueue(job);
        await requested.promise;
        child.kill('SIGKILL');
        await startRunner(project);
        const { envelope, ...record } = await endOf(job.runRef);
        expect(record).to.include({ state: 'finished', effect: 'dispatched', epoch: 2 });
        expect(envelope).to.have.deep.nested.property('result.value', statuses);
        const made = statuses.filter((status) => status === 'ok').length;
        expect(envelope).to.have.nested.property('execution.usage.llm_budget.total_tokens.charged', made * CALL);
        expect(envelope).to.have.nested.property('execution.usage.llm_budget.total_tokens.limit', Math.max(1, left));
        expect(models.requests, 'of both attempts').to.have.length(2 + made);
      });
    }

    it('is lost where its tenant does not let it begin again, and spends nothing more', async () => {
      const requested = Promise.withResolvers<void>();
      models = await startModelServer({
        script: [{ times: 'any', action: { fault: 'silent' } }],
        onRequest: () => requested.resolve(),
      });
      const project = await writeApplication(models.url, 10 * CALL);
      const { child, digest } = await startRunner(project);
      const job = newJob({ tenant: 'acme', applicationDigest: digest });
      await engine.enqueue(job);
      await requested.promise;
      child.kill('SIGKILL');
      await startRunner(project);
      expect(await endOf(job.runRef)).to.include({ state: 'lost', effect: 'dispatched', epoch: 1 });
      expect(models.requests).to.have.length(1);
    });
  });
}
