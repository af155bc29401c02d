import { randomFillSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newRunReference } from '../../../contract/run-reference.ts';
import type { Sandbox } from '../../pool/interface.ts';
import { startSandbox } from '../../pool/pool.ts';
import { runApplication } from '../../../supervisor/run/named-run.ts';
import { exitOf } from '../../../supervisor/run/testing/exit-of.ts';
import { nodeDocumentFiles as documentFiles } from '../../../supervisor/documents/file-system.ts';
import { systemClock } from '../../../system/clock.ts';
import { shippedLibraries } from '../../../supervisor/documents/libraries/shipped.ts';
import { memoryBundleStore } from '../../../supervisor/application/preflight/memory-bundle-store.ts';
import { nodeFileSystem } from '../../../supervisor/evidence/publication/node-file-system.ts';
import { processOwnerProbe } from '../../../supervisor/evidence/publication/owner.ts';
import { runAnswered, type ModelAnswers } from './answered-models.ts';
import { endedRun, type Ended } from '../../../supervisor/test/capabilities/runs.ts';

const DIST = join(import.meta.dirname, '../../../dist');

/** Functions of the stand-in for `agent.core` and the private route that each hands its claim to (runtime.md §6). */
export const REPORTERS = {
  limit: 'kernel-runtime-limit-failure',
  provider: 'kernel-llm-provider-failure',
  'result-contract': 'kernel-result-contract-failure',
  'phase-return': 'kernel-phase-return-contract-failure',
  config: 'kernel-agent-config-failure',
  outcome: 'kernel-agent-outcome-failure',
  'protocol-error': 'kernel-agent-protocol-error',
} as const;

const AGENT_CORE = [
  '(ns agent.core "Hands claims to the private routes and gives back what they answer.")',
  ...Object.entries(REPORTERS).map(([name, route]) => `(defn ${name} [claim] (tool/${route} claim))`),
  `(defn- kept [claim] (tool/${REPORTERS['protocol-error']} claim))`,
].join('\n');

export interface ReporterApplication {
  /** The component `main` gives what this form prints as: the `answer` of a value that fits the result contract. */
  readonly body: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly limits?: Readonly<Record<string, number>>;
  /** Components of the mission `m`, which has no others; absent: none. */
  readonly mission?: readonly unknown[];
  /** Libraries of the workflow; the agent and the kernel's by default. */
  readonly shipped?: readonly string[];
  /** Further components of the workflow, and what stands in their files. */
  readonly components?: readonly unknown[];
  readonly files?: Readonly<Record<string, string>>;
  /** Member of the manifest; by default a contract of the result and one of a phase, `plan`. */
  readonly contracts?: Readonly<Record<string, unknown>>;
  readonly isPrivate?: boolean;
  /** Gives the workflow `llm/request` and a model with these answers, and takes its mission away. */
  readonly model?: ModelAnswers;
}

export interface ReporterRuns {
  run(application: ReporterApplication): Promise<Ended>;
}

const SCHEMAS = {
  'result.json': {
    type: 'object',
    properties: { 'a-b': { type: 'integer', maximum: 9 }, answer: { type: 'string' } },
    required: ['a-b'],
  },
  'phase.json': { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] },
};
const CONTRACTS = { result_schema: { path: 'result.json' }, phase_return_schemas: { plan: { path: 'phase.json' } } };

/** Applications with a stand-in for `agent.core` among their libraries, run by the built program's own parts. */
export function useReporters(): ReporterRuns {
  let sandbox: Sandbox | null = null;
  let root = '';
  const bundles = memoryBundleStore();
  const libraries = new Map([
    ...shippedLibraries(join(DIST, 'libraries')),
    ['agent.core', { id: 'agent.core', dependencies: [], source: new TextEncoder().encode(AGENT_CORE) }] as const,
  ]);
  before(() => {
    sandbox = startSandbox({
      hostScript: join(DIST, 'sandbox-host.cjs'),
      guestImage: join(DIST, 'guest.snapshot'),
      readableFolders: [DIST],
      isolatesPerHost: 8,
    });
  });
  after(async () => {
    await sandbox?.close();
  });
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'svc-reporters-'));
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });
  const opened = async (): Promise<Sandbox> => {
    if (sandbox === null) throw new Error('the sandbox is started before the first test');
    return sandbox;
  };
  return {
    run: async (application) => {
      await layOut(root, application);
      const runRef = newRunReference(randomFillSync);
      const options = {
        runRef,
        workingDirectory: root,
        trustDomain: 'local',
        document: 'svc-project.json',
        hostConfig: null,
        override: null,
        libraries,
        bundles: async () => bundles,
        sandbox: opened,
        documents: documentFiles,
        clock: systemClock,
        signal: new AbortController().signal,
        environmentFile: null,
        variables: {},
        authorize: [],
        input: null,
        destinations: { traceDirectory: null, inspection: null, output: null, privateOutput: null },
        publication: { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now },
        onEvaluated: () => undefined,
      };
      const { model } = application;
      const report = model === undefined ? await runApplication(options) : await runAnswered(options, model);
      return endedRun(root, { ...report, runRef, exitStatus: exitOf(report) });
    },
  };
}

async function layOut(root: string, application: ReporterApplication): Promise<void> {
  const {
    body,
    input = {},
    limits = {},
    mission = [],
    shipped = ['agent.core', 'kernel'],
    components = [],
    files = {},
    contracts = CONTRACTS,
    isPrivate = false,
    model,
  } = application;
  const libraries = model === undefined ? shipped : [...shipped, 'llm'];
  const documents = {
    ...SCHEMAS,
    'svc.json': {
      version: 1,
      workflow: {
        components: [
          ...libraries.map((library) => ({ library })),
          ...components,
          { id: 'main', path: 'main.clj', dependencies: libraries },
        ],
        entry: 'main/run',
      },
      missions: model === undefined ? { m: { components: mission, data: {}, providers: [] } } : {},
      input: { value: input },
      limits,
      contracts,
      ...(isPrivate ? { events: { policy: 'private' } } : {}),
    },
    'svc-project.json': {
      kind: 'svc-project',
      version: 1,
      application: { path: 'svc.json' },
      artifacts: { root: '.svc', trace: true, inspection: true, result: true },
    },
  };
  const texts = {
    ...Object.fromEntries(Object.entries(documents).map(([name, document]) => [name, JSON.stringify(document)])),
    'main.clj': `(ns main)\n(defn run [input]\n  {"a-b" 0 "answer" (pr-str ${body})})\n`,
    ...files,
  };
  await Promise.all(Object.entries(texts).map(([name, text]) => writeFile(join(root, name), text)));
}
