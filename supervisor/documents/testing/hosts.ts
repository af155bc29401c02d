import type { Plain } from './application-tree.ts';

/** Installations that pass, one of each source; tests change what they test. */
export const LLM = {
  source: 'llm',
  installation_revision: 'r1',
  model: 'anthropic:claude',
  credential: 'model-key',
  structured_output_mode: 'json_schema',
  usage_guarantees: { tokens: true, cost_currency: 'USD' },
} as const satisfies Plain;

export const REPLAY = {
  source: 'llm_replay',
  installation_revision: 'r1',
  fixtures: 'replay.jsonl',
} as const satisfies Plain;

export const STDIO = {
  source: 'mcp',
  installation_revision: 'r1',
  transport: { type: 'stdio', command: 'server' },
  tools: { read_file: { as: 'read-file', effect: 'read' } },
} as const satisfies Plain;

export const HTTP = {
  ...STDIO,
  transport: { type: 'streamable_http', endpoint: 'https://tools.example/mcp' },
} as const satisfies Plain;

export const TRACE = {
  source: 'svc_trace_snapshot',
  installation_revision: 'r1',
  directory: 'traces',
} as const satisfies Plain;
export const PRIVATE_TRACE = { ...TRACE, source: 'svc_private_trace_snapshot' } as const satisfies Plain;
export const INSPECTION = { ...TRACE, source: 'svc_inspection_snapshot' } as const satisfies Plain;

export const DECISION = {
  source: 'decision',
  installation_revision: 'r1',
  max_cost_per_call: { currency: 'USD', amount: '0.01' },
  max_total_tokens_per_call: 1000,
  usage_guarantees: { tokens: true, cost_currency: 'USD' },
  model: 'openai:gpt',
  credential: 'model-key',
} as const satisfies Plain;

export const OAUTH = {
  installation_id: 'tools',
  issuer: 'https://login.example',
  scope_ceiling: ['read', 'write'],
  client: {
    registration: 'pre_registered',
    auth_method: 'none',
    client_id: 'svc',
    grant_types: ['authorization_code'],
    loopback_redirect: { host: '127.0.0.1', path: '/callback' },
  },
} as const satisfies Plain;

export const CREDENTIALS = { 'model-key': { env: 'MODEL_KEY' } } as const satisfies Plain;

/** A host document of these installations. */
export function host(install: Plain, members: Plain = {}): Plain {
  return { install, credentials: CREDENTIALS, ...members };
}
