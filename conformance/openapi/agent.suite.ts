import { expect } from 'chai';
import { startModelServer } from '../servers/llm/server.ts';
import { COLLECTIONS, publicLikeDocument } from '../servers/openapi/document.ts';
import { startApi } from '../servers/openapi/server.ts';
import { ApiRoom } from './room.ts';

const PROGRAMS = [
  '(tool/create-issue {:body {"title" "Broken door" "labels" ["bug"]} "Idempotency-Key" "one"})',
  '(tool/update-issue {:id 1 :body {"state" "done"}})',
  '(tool/update-issue {:id 1 :body {"state" "closed"}})',
  '(tool/list-issues {:per-page 10 :filter {"state" "closed"}})',
  '(tool/get-release {:id 4})',
  '(return (get-in (tool/get-issue {:id 1}) [:value "state"]))',
];

describe('an agent over an API of more than 100 operations (world.md §2)', () => {
  it('reads, writes, and mends what the document does not allow', async () => {
    const document = publicLikeDocument();
    const count = 6 * COLLECTIONS.length + 4;
    const api = await startApi({ document, basePath: '/api/v4' });
    const model = await startModelServer({
      script: PROGRAMS.map((program) => ({
        action: { answer: { toolCalls: [{ name: 'run_svc_lisp', args: { program } }] } },
      })),
    });
    const room = new ApiRoom({
      document,
      files: {
        'main.clj': '(ns main) (defn run [input] (agent.core/run-value (:task input) (:agent input)))',
        'svc-host.json': {
          install: {
            small: {
              source: 'llm',
              installation_revision: 'r1',
              model: `openai-compat:${model.url}/v1|m`,
              credential: 'key',
              structured_output_mode: 'json_schema',
              usage_guarantees: { tokens: false, cost_currency: null },
              retry: { attempts: 1 },
            },
            api: {
              source: 'openapi',
              installation_revision: 'r1',
              document: { path: 'api.json' },
              endpoint: `${api.url}/api/v4`,
              allow_insecure_loopback: true,
              tools: { '*': { error_feedback: 'bounded', model_visible: true } },
              ceilings: { timeout_ms: 60_000 },
            },
          },
          credentials: { key: { literal: 'sk-4711-4711' } },
        },
      },
      installation: {},
      manifest: {
        workflow: {
          components: [{ library: 'agent.core' }, { id: 'main', path: 'main.clj', dependencies: ['agent.core'] }],
          entry: 'main/run',
        },
        missions: { default: { providers: ['api'] } },
        input: {
          value: { task: 'Close the issue of the door.', agent: { max_turns: 12, prompt_tool_bytes: 1_000_000 } },
        },
        providers: { workflow: [{ name: 'small' }], mission: [{ name: 'api', config: { allow: ['*'] } }] },
        limits: {
          run_duration_ms: 120_000,
          workflow_timeout_ms: 120_000,
          evaluation_timeout_ms: 60_000,
          normal_event_count: 2048,
        },
      },
    });
    try {
      const { status, value, stderr } = await room.run();
      expect([status, value], stderr).to.deep.equal([0, 'closed']);
      expect(api.requests.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
        'POST /api/v4/issues',
        'PATCH /api/v4/issues/1',
        'GET /api/v4/issues?per_page=10&filter[state]=closed',
        'GET /api/v4/releases/4',
        'GET /api/v4/issues/1',
      ]);
      expect(api.items('issues')).to.deep.equal([
        { id: 1, title: 'Broken door', labels: ['bug'], state: 'closed', created_at: '2026-01-01T00:00:00Z' },
      ]);
      const first: unknown = JSON.parse(model.requests[0]?.body ?? '').messages;
      for (const name of ['create-issue', 'search', 'get-projects-id-avatar', 'delete-tag'])
        expect(JSON.stringify(first)).to.contain(name);
      const named = new Set(JSON.stringify(first).match(/tool\/[a-z0-9-]+/g));
      expect(named.size).to.be.at.least(count);
      expect(JSON.stringify(model.requests[4]?.body)).to.contain('closed');
      expect(JSON.stringify(model.requests[5]?.body)).to.contain('HTTP 404: no releases 4');
    } finally {
      room.close();
      await model.close();
      await api.close();
    }
  });
});
