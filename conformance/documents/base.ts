import { createHash } from 'node:crypto';

/**
 * The documents from which every case starts. The mark stands wherever an author may write what a diagnostic must keep
 * to itself: values, free keys, comments, aliases that no case is about, credentials, addresses, file names.
 */
export const MARK = 'zqxMARKxqz';

/** The mark where only a lowercase name may stand. */
export const LOWER_MARK = 'zqxmarkxqz';

export const WORKFLOW_SOURCE = `; ${MARK}\n(ns main)\n(defn run [input] {:name (get input "name")})\n`;
export const MISSION_SOURCE = `; ${MARK}\n(ns helper)\n(defn describe [value] value)\n`;

const MANIFEST = {
  $schema: `urn:${MARK}`,
  version: 1,
  workflow: { components: [{ id: 'main', path: 'main.clj', dependencies: [] }], entry: 'main/run' },
  missions: {
    [LOWER_MARK]: { data: { [MARK]: MARK } },
    reader: { components: [{ id: 'helper', path: 'parts/helper.clj' }], data: { topic: MARK }, providers: [] },
  },
  input: { value: { name: MARK, [MARK]: [MARK, 1] } },
  contracts: {},
  providers: { workflow: [], mission: [] },
  limits: { run_duration_ms: 20_000 },
  events: { policy: 'normal' },
  labels: { name: MARK, model: MARK, provider: MARK, tags: { environment: 'test' } },
};

const REVISION = { installation_revision: LOWER_MARK };
const GUARANTEES = { tokens: true, cost_currency: 'USD' };
const HELPER_COMMAND = { type: 'stdio', command: `${MARK}-server`, args: [MARK], env: { [MARK]: { binding: 'key' } } };

const HOST = {
  $schema: `urn:${MARK}`,
  install: {
    model: {
      source: 'llm',
      ...REVISION,
      model: `anthropic:${MARK}`,
      credential: 'key',
      structured_output_mode: 'json_schema',
      usage_guarantees: GUARANTEES,
      ceilings: { max_calls: 100 },
    },
    replay: { source: 'llm_replay', ...REVISION, fixtures: `${MARK}.jsonl` },
    tools: {
      source: 'mcp',
      ...REVISION,
      transport: HELPER_COMMAND,
      tools: { [MARK]: { as: LOWER_MARK, effect: 'read', description: MARK }, look: { as: 'look', effect: 'read' } },
    },
    writer: {
      source: 'mcp',
      ...REVISION,
      transport: { type: 'streamable_http', endpoint: `https://${LOWER_MARK}.example/mcp` },
      tools: { write: { as: 'write-it', effect: 'write' }, read: { as: 'read-it', effect: 'read' } },
    },
    trace: { source: 'svc_trace_snapshot', ...REVISION, directory: MARK },
    'private-trace': { source: 'svc_private_trace_snapshot', ...REVISION, directory: MARK },
    [LOWER_MARK]: { source: 'svc_trace_snapshot', ...REVISION, directory: MARK },
    inspection: { source: 'svc_inspection_snapshot', ...REVISION, directory: MARK },
    decision: {
      source: 'decision',
      ...REVISION,
      model: `openai:${MARK}`,
      credential: 'key',
      usage_guarantees: GUARANTEES,
      max_cost_per_call: { currency: 'USD', amount: '0.01' },
      max_total_tokens_per_call: 1000,
    },
  },
  credentials: { key: { env: MARK }, [LOWER_MARK]: { literal: MARK }, kept: { file: `${MARK}/key` } },
  limits: { run_duration_ms: 60_000 },
};

const PROJECT = {
  $schema: `urn:${MARK}`,
  kind: 'svc-project',
  version: 1,
  application: { path: 'svc.json' },
  viewer: { port: 0, open: false },
};

function digest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

const CANDIDATE = `${WORKFLOW_SOURCE}; changed\n`;

const OVERRIDE = {
  target: { environment: 'workflow' },
  component_id: 'main',
  base_source_hash: digest(WORKFLOW_SOURCE),
  source_hash: digest(CANDIDATE),
  path: 'candidate.clj',
  provenance: { run_id: MARK, authored_at: '2026-01-02T03:04:05Z' },
};

/** The documents that a case may edit, by the name that its edits use. */
export const DOCUMENTS = { manifest: MANIFEST, host: HOST, project: PROJECT, override: OVERRIDE } as const;
export type DocumentName = keyof typeof DOCUMENTS;

/** What each stands under in the directory of a case. */
export const FILE_NAMES: Readonly<Record<DocumentName, string>> = {
  manifest: 'svc.json',
  host: 'host.json',
  project: 'project.json',
  override: 'override.json',
};

const FIXTURES = `${JSON.stringify({
  schema_version: 2,
  request_hash: digest('request'),
  response: { content: MARK },
})}\n`;

/** Files of every case; a case's own win. */
export const BASE_FILES: Readonly<Record<string, string>> = {
  'main.clj': WORKFLOW_SOURCE,
  'parts/helper.clj': MISSION_SOURCE,
  'candidate.clj': CANDIDATE,
  [`${MARK}.jsonl`]: FIXTURES,
};
