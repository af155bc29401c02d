import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { FailureExplanation } from '../../../contract/diagnostics/explanation.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import { loadGateway } from '../../documents/gateway/load.ts';
import { compiled, exportFact } from '../../documents/testing/application-tree.ts';
import { memoryFileSystem } from '../../documents/testing/memory-file-system.ts';
import { systemClock } from '../../../system/clock.ts';
import { loadNamedPrograms } from '../../run/named-documents.ts';
import { loadNamedTarget } from '../../documents/project/named.ts';
import { fakeSandbox } from '../../run/testing/fake-sandbox.ts';
import { DOCUMENTS, BASE_FILES } from '../../../conformance/documents/base.ts';

/** Documents that authors, operators and callers write, and strangers may. */
export const ROLES = ['manifest', 'project', 'host', 'input', 'contract', 'override', 'gateway'] as const;
export type Role = (typeof ROLES)[number];

export type Loaded =
  | { readonly kind: 'loaded' }
  /** `explanation`: what people are told besides (documents.md §14). */
  | { readonly kind: 'diagnosed'; readonly diagnostic: Diagnostic; readonly explanation: FailureExplanation | null }
  /** A gateway has codes of its own (documents.md §8). */
  | { readonly kind: 'refused'; readonly code: string };

const GATEWAY = {
  version: 1,
  listen: { address: '127.0.0.1', port: 8080, path: '/mcp', allowed_origins: ['https://a.example'] },
  authentication: { bearer: { binding: 'token' } },
  host: { path: 'host.json' },
  admission: {
    max_inflight_requests: 1,
    max_concurrent_runs: 1,
    max_active_provider_calls: 1,
    max_waiting_provider_calls: 0,
  },
  tools: [
    {
      name: 'ask',
      title: 'Ask',
      description: 'Asks',
      application: { manifest: 'svc.json' },
      installation_config_pins: {},
      expected_application_content_digest: `sha256:${'0'.repeat(64)}`,
      provider_snapshot_pins: { 'workflow/a': `sha256:${'1'.repeat(64)}` },
    },
  ],
};

const CONTRACT = {
  type: 'object',
  title: 'a',
  default: [1.5, null],
  additionalProperties: true,
  required: ['name'],
  properties: {
    name: { type: ['null', 'string'], minLength: 1, maxLength: 30, format: 'sha256' },
    list: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 9 }, maxItems: 4 },
    kind: { type: 'string', enum: ['a', 'b'], const: 'a' },
  },
};

/** A good document of each role, as text. */
export const GOOD: Readonly<Record<Role, string>> = {
  manifest: JSON.stringify({
    ...DOCUMENTS.manifest,
    contracts: { input_schema: { path: 'contract.json' }, phase_return_schemas: { a: { path: 'contract.json' } } },
  }),
  project: JSON.stringify(DOCUMENTS.project),
  host: JSON.stringify(DOCUMENTS.host),
  input: JSON.stringify({ name: null, list: [1, 2], kind: 'a', more: { deep: [{}, 1e300, -0.5] } }),
  contract: JSON.stringify(CONTRACT),
  override: JSON.stringify(DOCUMENTS.override),
  gateway: JSON.stringify(GATEWAY),
};

/**
 * Loads everything up to the providers, as `validate` does, with one document replaced; opens no file of the machine.
 */
export async function loadWith(role: Role, document: string | Uint8Array): Promise<Loaded> {
  const texts = { ...GOOD, [role]: document };
  const named = (name: Role) => `/app/${name === 'manifest' ? 'svc' : name}.json`;
  const files = memoryFileSystem({
    ...Object.fromEntries(Object.entries(BASE_FILES).map(([path, text]) => [`/app/${path}`, text])),
    ...Object.fromEntries(ROLES.map((name) => [named(name), texts[name]])),
  });
  const reader = createDocumentReader(files, '/app');
  if (role === 'gateway') {
    const gateway = loadGateway(await reader.readNamed(named('gateway'), 1_000_000));
    return gateway.ok ? { kind: 'loaded' } : { kind: 'refused', code: gateway.code };
  }
  const options = {
    workingDirectory: '/app',
    document: named('project'),
    hostConfig: named('host'),
    override: 'override.json',
    trustDomain: 'test',
    libraries: new Map(),
    sandbox: async () => fakeSandbox({ compile: () => compiled(exportFact()) }),
    documents: files,
    variables: {},
    clock: systemClock,
    signal: new AbortController().signal,
  };
  const target = await loadNamedTarget(options, reader);
  const loaded = target.ok
    ? await loadNamedPrograms(options, reader, target.value, {
        input: { path: 'input.json', dataClass: 'normal' },
        identityFixed: false,
        inspectionCapture: false,
      })
    : target;
  return loaded.ok
    ? { kind: 'loaded' }
    : { kind: 'diagnosed', diagnostic: loaded.diagnostic, explanation: loaded.advice?.faults ?? null };
}
