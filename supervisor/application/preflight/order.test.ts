import { expect } from 'chai';
import { compiled, exportFact, load, MANIFEST, type Tree } from '../../documents/testing/application-tree.ts';
import { host, LLM } from '../../documents/testing/hosts.ts';
import type { MemoryEntry } from '../../documents/testing/memory-file-system.ts';

/** One fault for each step of documents.md §12.4 to 12.9, in their order: any two together must tell the earlier. */
interface Fault {
  readonly step: string;
  readonly code: string;
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly host?: unknown;
  readonly files?: Readonly<Record<string, MemoryEntry>>;
  readonly compile?: Tree['compile'];
  readonly options?: Tree['options'];
}

const listed = { id: 'late', path: 'late.clj' };
const contract = (name: string) => ({ path: `${name}.json` });

const FAULTS: readonly Fault[] = [
  { step: 'host', code: 'host_schema_invalid', host: { install: 1 } },
  { step: 'manifest schema', code: 'schema_violation', manifest: { version: 2 } },
  {
    step: 'counts',
    code: 'schema_violation',
    manifest: {
      missions: Object.fromEntries(
        [1, 2].map((n) => [
          `n${n}`,
          { components: Array.from({ length: 127 }, (_, i) => ({ id: `c${i}`, path: 'main.clj' })) },
        ]),
      ),
    },
  },
  { step: 'input declaration', code: 'input_invalid', manifest: { input: { value: 1 } } },
  {
    step: 'provider list',
    code: 'schema_violation',
    manifest: { providers: { mission: [{ name: 'a' }, { name: 'a' }] } },
  },
  { step: 'missions', code: 'unknown_mission_provider', manifest: { missions: { z: { providers: ['nobody'] } } } },
  {
    step: 'limits',
    code: 'installed_limit_exceeded',
    manifest: { limits: { run_duration_ms: 2000000, normal_event_bytes: 1 } },
  },
  { step: 'workflow components', code: 'reference_missing', files: { '/app/main.clj': { special: true } } },
  {
    step: 'contracts',
    code: 'contract_invalid',
    manifest: { contracts: { input_schema: contract('contract') } },
    files: { '/app/contract.json': '{}' },
  },
  { step: 'mission components', code: 'reference_missing', manifest: { missions: { m: { components: [listed] } } } },
  { step: 'limit configuration', code: 'limit_configuration_invalid', manifest: { limits: { normal_event_bytes: 1 } } },
  {
    step: 'input',
    code: 'invalid_json',
    options: { input: { path: 'in.json', dataClass: 'normal' } },
    files: { '/desk/in.json': '{' },
  },
  { step: 'override', code: 'override_invalid', options: { override: '/nowhere.json' } },
  {
    step: 'event identity',
    code: 'event_identity_conflict',
    manifest: { events: { run_id: 'r' } },
    options: { identityFixed: true },
  },
  { step: 'compile', code: 'bundle_limit_exceeded', compile: () => ({ status: 'timeout' }) },
  { step: 'entry', code: 'entry_invalid', compile: () => compiled() },
  {
    step: 'missions needed',
    code: 'mission_undeclared',
    compile: () => compiled(exportFact({ requirements: ['tool:kernel-eval'] })),
  },
  { step: 'providers', code: 'provider_unknown', manifest: { providers: { workflow: [{ name: 'nobody' }] } } },
];

/** Two faults in one place cannot stand together: the later one has no room. */
function isPossible(first: Fault, second: Fault): boolean {
  const keys = (fault: Fault) => [
    ...Object.keys(fault.manifest ?? {}),
    ...Object.keys(fault.files ?? {}),
    ...Object.keys(fault.options ?? {}),
    ...(fault.compile === undefined ? [] : ['compile']),
  ];
  return !keys(second).some((key) => keys(first).includes(key));
}

function together(...faults: readonly Fault[]): Tree {
  const merged = faults.reduce<Fault>(
    (sum, fault) => ({
      ...sum,
      ...fault,
      manifest: { ...sum.manifest, ...fault.manifest },
      files: { ...sum.files, ...fault.files },
      options: { ...sum.options, ...fault.options },
    }),
    { step: '', code: '' },
  );
  return {
    manifest: { ...MANIFEST, ...merged.manifest },
    host: merged.host ?? host({ model: LLM }),
    files: merged.files ?? {},
    ...(merged.compile === undefined ? {} : { compile: merged.compile }),
    options: merged.options ?? {},
  };
}

describe('order of checks (documents.md §12)', () => {
  for (const [index, fault] of FAULTS.entries()) {
    it(`${fault.step} alone: ${fault.code}`, async () => {
      const outcome = await load(together(fault));
      expect(!outcome.ok && outcome.diagnostic.code).to.equal(fault.code);
    });
    it(`${fault.step} before every later fault`, async () => {
      for (const later of FAULTS.slice(index + 1).filter((other) => isPossible(fault, other))) {
        const [alone, both] = [await load(together(fault)), await load(together(fault, later))];
        expect(both, `${fault.step} and ${later.step}`).to.deep.equal(alone);
      }
    });
  }
});
