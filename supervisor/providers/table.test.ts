import { expect } from 'chai';
import { effectiveLimits } from '../../contract/limits/effective.ts';
import { defineCustomInstallation, type CustomInstallationSpec } from './custom/define.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import type { HostDocument } from '../documents/host/fields.ts';
import { loadHost } from '../documents/host/load.ts';
import type { Plain } from '../documents/testing/application-tree.ts';
import {
  DECISION,
  host,
  HTTP,
  INSPECTION,
  LLM,
  OAUTH,
  PRIVATE_TRACE,
  REPLAY,
  STDIO,
  TRACE,
} from '../documents/testing/hosts.ts';
import { memoryFileSystem } from '../documents/testing/memory-file-system.ts';
import type { InstalledProvider } from './source/installed-provider.ts';
import { installedProvider } from './table.ts';

const CHAT = {
  ...DECISION,
  model: undefined,
  credential: undefined,
  usage_guarantees: undefined,
  backend: 'chat',
  llm: 'llm',
};
const INSTALL: Plain = {
  llm: LLM,
  llm_replay: REPLAY,
  mcp: STDIO,
  'mcp-http': { ...HTTP, transport: { ...HTTP.transport, auth: [{ scheme: 'bearer', binding: 'other-key' }] } },
  'mcp-oauth': { ...HTTP, transport: { ...HTTP.transport, oauth: OAUTH } },
  svc_trace_snapshot: TRACE,
  svc_private_trace_snapshot: PRIVATE_TRACE,
  svc_inspection_snapshot: INSPECTION,
  decision: DECISION,
  'decision-chat': CHAT,
  decision_replay: {
    source: 'decision_replay',
    installation_revision: 'r1',
    fixtures: 'f',
    max_cost_per_call: DECISION.max_cost_per_call,
    max_total_tokens_per_call: 1,
  },
};

async function hostDocument(): Promise<HostDocument> {
  const text = JSON.stringify(
    host(INSTALL, { credentials: { 'model-key': { env: 'MODEL_KEY' }, 'other-key': { env: 'OTHER_KEY' } } }),
  );
  const loaded = await loadHost(createDocumentReader(memoryFileSystem({ '/host.json': text }), '/'), {
    kind: 'named',
    path: '/host.json',
  });
  if (!loaded.ok) throw new Error(loaded.diagnostic.message);
  return loaded.value.document;
}

const SPEC: CustomInstallationSpec = {
  alias: 'own',
  revision: 'r1',
  destinations: ['mission'],
  acceptsData: ['private_inspection', 'normal'],
  capabilities: [{ name: 'work', description: 'Works.', inputSchema: true, effect: 'write', call: () => 1 }],
};

describe('the table of sources (providers.md §1)', () => {
  const LIMITS = effectiveLimits({}, {});
  let document: HostDocument;
  before(async () => {
    document = await hostDocument();
  });

  function installed(alias: string): InstalledProvider {
    const installation = document.install.get(alias);
    return installation === undefined
      ? installedProvider(defineCustomInstallation(SPEC), document)
      : installedProvider(installation, document);
  }

  const placesOf = (provider: InstalledProvider): string =>
    (['workflow', 'mission'] as const).filter((place) => provider.isPlaceable(place, new Map())).join();

  /**
   * alias, places, class, accepted, capabilities counted by alias, local check, connectivity, services, credentials,
   * authorization
   */
  const rows: readonly (readonly [
    string,
    string,
    string,
    string,
    boolean,
    string | null,
    string,
    string,
    readonly string[],
    string,
  ])[] = [
    ['llm', 'workflow', 'normal', 'normal', true, 'environment', 'probe', '', ['model-key'], 'none'],
    ['llm_replay', 'workflow', 'normal', 'normal', true, 'declaration', 'none', '', [], 'none'],
    ['mcp', 'mission', 'normal', 'normal', false, 'environment', 'acquisition', '', [], 'none'],
    ['mcp-http', 'mission', 'normal', 'normal', false, null, 'acquisition', '', ['other-key'], 'none'],
    ['mcp-oauth', 'mission', 'normal', 'normal', false, null, 'acquisition', '', [], 'oauth'],
    [
      'svc_trace_snapshot',
      'mission',
      'normal',
      'normal,private_inspection',
      false,
      null,
      'none',
      'provides trace',
      [],
      'none',
    ],
    [
      'svc_private_trace_snapshot',
      'mission',
      'private_inspection',
      'normal,private_inspection',
      false,
      null,
      'none',
      'provides trace',
      [],
      'none',
    ],
    [
      'svc_inspection_snapshot',
      'mission',
      'private_inspection',
      'normal,private_inspection',
      false,
      null,
      'none',
      'requires trace',
      [],
      'none',
    ],
    ['decision', 'workflow', 'normal', 'normal', true, 'environment', 'probe', '', ['model-key'], 'none'],
    ['decision-chat', 'workflow', 'normal', 'normal', true, 'environment', 'probe', '', ['model-key'], 'none'],
    ['decision_replay', 'workflow', 'normal', 'normal', true, 'declaration', 'none', '', [], 'none'],
    ['custom', 'mission', 'normal', 'normal,private_inspection', false, null, 'none', '', [], 'none'],
  ];
  for (const [alias, ...expected] of rows) {
    it(alias, () => {
      const provider = installed(alias);
      const { source, policy, isModel, localCheck, connectivity, provides, requires, credentials, authorization } =
        provider;
      const services = provides === null ? (requires === null ? '' : `requires ${requires}`) : `provides ${provides}`;
      expect(source).to.equal(/^[a-z_]+/.exec(alias)?.[0]);
      expect([
        placesOf(provider),
        policy.dataClass,
        policy.acceptsData.join(),
        isModel,
        localCheck?.reads ?? null,
        connectivity,
        services,
        credentials,
        authorization,
      ]).to.deep.equal(expected);
    });
  }

  it('has a row for every source that a host document may name', () => {
    const named = new Set([...document.install.values()].map(({ source }) => source));
    expect(named.size).to.equal(8);
  });

  it('places the catalogue of a server in the workflow, and nothing else of it', () => {
    const catalog = new Map([['catalog', true]]);
    expect(installed('mcp').isPlaceable('workflow', catalog)).to.equal(true);
    if (!LIMITS.ok) throw new Error('the limits are those by default');
    expect(installed('mcp').select('workflow', catalog, LIMITS.values)).to.deep.include({
      ok: true,
      selection: { catalog: true },
    });
    expect(installed('mcp').select('mission', catalog, LIMITS.values)).to.deep.include({
      ok: false,
      fault: 'unknown_property',
    });
  });

  it('offers what is known before anything is acquired', () => {
    expect(installed('mcp').offers({ allow: ['read-file'] }, 'mcp')).to.deep.equal([
      { name: 'read-file', effect: 'read' },
    ]);
    expect(installed('mcp').offers({ catalog: true }, 'mcp')).to.deep.equal([]);
    expect(installed('custom').offers({}, 'own')).to.deep.equal([{ name: 'work', effect: 'write' }]);
    const queries = ['runs', 'open', 'read', 'counters'].map((query) => ({ name: `history.${query}`, effect: 'read' }));
    expect(installed('svc_trace_snapshot').offers({ expose: true }, 'history')).to.deep.equal(queries);
    expect(installed('svc_private_trace_snapshot').offers({ expose: false }, 'history')).to.deep.equal([]);
    expect(installed('svc_inspection_snapshot').offers({}, 'history')).to.deep.equal(queries);
  });
});
