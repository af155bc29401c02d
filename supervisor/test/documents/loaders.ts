import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { FailureExplanation } from '../../../contract/diagnostics/explanation.ts';
import type { Failed } from '../../../contract/outcome.ts';
import { loadApplicationDocuments } from '../../documents/application.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import { loadGateway } from '../../documents/gateway/load.ts';
import { loadHost } from '../../documents/host/load.ts';
import { loadTarget } from '../../documents/project/load.ts';
import { explainRefusal, type NamedDocuments } from '../../application/preflight/survey.ts';
import { memoryFileSystem } from '../../documents/testing/memory-file-system.ts';
import { DOCUMENTS, FILES } from '../../../conformance/documents/base.ts';

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
 * Loads everything up to the compiler, as `validate` does, with one document replaced; opens no file of the machine.
 */
export async function loadWith(role: Role, document: string | Uint8Array): Promise<Loaded> {
  const texts = { ...GOOD, [role]: document };
  const named = (name: Role) => `/app/${name === 'manifest' ? 'svc' : name}.json`;
  const files = memoryFileSystem({
    ...Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`/app/${path}`, text])),
    ...Object.fromEntries(ROLES.map((name) => [named(name), texts[name]])),
  });
  const reader = createDocumentReader(files, '/app');
  if (role === 'gateway') {
    const gateway = loadGateway(await reader.readNamed(named('gateway'), 1_000_000));
    return gateway.ok ? { kind: 'loaded' } : { kind: 'refused', code: gateway.code };
  }
  const input = { path: 'input.json', dataClass: 'normal' } as const;
  const diagnosed = async (refused: Failed, manifest: NamedDocuments['manifest']): Promise<Loaded> => {
    const explanation = await explainRefusal(reader, refused, {
      document: named('project'),
      manifest,
      host: { kind: 'named', path: named('host') },
      override: 'override.json',
      input,
      workingDirectory: '/app',
      libraries: new Map(),
      custom: [],
      compile: null,
    });
    return { kind: 'diagnosed', diagnostic: refused.diagnostic, explanation };
  };
  const target = await loadTarget(reader, named('project'));
  if (!target.ok) return diagnosed(target, null);
  const host = await loadHost(reader, { kind: 'named', path: named('host') });
  if (!host.ok) return diagnosed(host, target.value.manifest);
  const application = await loadApplicationDocuments({
    reader,
    workingDirectory: '/app',
    manifest: target.value.manifest,
    host: host.value,
    libraries: new Map(),
    input,
    override: 'override.json',
    identityFixed: false,
    now: () => performance.now(),
  });
  return application.ok ? { kind: 'loaded' } : diagnosed(application, target.value.manifest);
}
