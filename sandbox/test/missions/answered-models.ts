import { randomFillSync } from 'node:crypto';
import { success } from '../../../contract/outcome.ts';
import { projectArtifacts } from '../../../supervisor/documents/project/artifacts.ts';
import { loadNamed } from '../../../supervisor/run/named-documents.ts';
import type { RunOptions, RunReport } from '../../../supervisor/run/named-run.ts';
import { openBroker } from '../../../supervisor/calls/broker/broker.ts';
import type { RoutedModel } from '../../../supervisor/calls/broker/capability.ts';
import type { Route } from '../../../supervisor/calls/broker/route.ts';
import { capability, type TestOutcome } from '../../../supervisor/calls/broker/testing/broker-harness.ts';
import { createDocumentReader } from '../../../supervisor/documents/document-reader.ts';
import { loadTarget } from '../../../supervisor/documents/project/load.ts';
import { openKernel } from '../../../supervisor/calls/kernel/kernel.ts';
import type { Application } from '../../../supervisor/application/preflight/application.ts';
import type { RunEnvironments } from '../../../supervisor/run/environments.ts';
import { runnableApplication } from '../../../supervisor/run/from-application.ts';
import { performRun } from '../../../supervisor/run/perform-run.ts';
import type { RunContext } from '../../../supervisor/run/run-context.ts';

/** What the model says to each request of a run, in turn; the last one to all that follow. */
export type ModelAnswers = readonly [TestOutcome, ...TestOutcome[]];

/** What a run left, as far as it is the same for every way to begin one. */
export type AnsweredReport = Pick<RunReport, 'envelope' | 'projectEnvelope' | 'unexpected' | 'valueText'>;

const MODEL: RoutedModel = {
  alias: 'small',
  installationRevision: 'r1',
  resolvedModel: null,
  maxCalls: 2048,
  isLive: false,
  terms: null,
};

/**
 * Runs an application without missions whose model, the alias `small`, is the test; everything else is the product's.
 */
export async function runAnswered(options: RunOptions, answers: ModelAnswers): Promise<AnsweredReport> {
  const reader = createDocumentReader(options.documents, options.workingDirectory);
  const target = await loadTarget(reader, options.document);
  if (!target.ok) throw new Error(target.diagnostic.message);
  const application = await loadNamed(options, reader, target.value, {
    input: null,
    identityFixed: true,
    inspectionCapture: true,
  });
  if (!application.ok) throw new Error(application.diagnostic.message);
  const { sandbox, publication, clock, signal, onEvaluated, destinations, runRef } = options;
  const loaded = {
    application: runnableApplication(application.value, { workingDirectory: '/', warnings: [] }),
    openEnvironments: async (context: RunContext) => success(answeredEnvironments(application.value, context, answers)),
  };
  const source = {
    locate: async () => success({ project: projectArtifacts(target.value), load: async () => success(loaded) }),
  };
  return performRun(
    { sandbox, publication, clock },
    { runRef, trustDomain: options.trustDomain, signal, onEvaluated, explicit: destinations, source },
  );
}

function answeredEnvironments(
  { limits, contracts }: Application,
  { clock, runDeadline, recorder, inspection, sandbox, runRef }: RunContext,
  answers: ModelAnswers,
): RunEnvironments {
  const left = answers.values();
  let last = answers[0];
  const target = capability({ answer: () => (last = left.next().value ?? last) });
  const routed = capability({
    name: 'llm-request',
    route: (input) => ({ ok: true, target, request: input, model: MODEL }),
  });
  const routes = new Map<string, Route>();
  const broker = openBroker({
    limits: limits.values,
    runDeadlineAt: runDeadline.at,
    clock,
    events: recorder,
    inspection,
    capabilities: { workflow: new Map([[routed.name, routed]]), missions: new Map() },
    routes,
    usage: () => ({}),
  });
  const kernel = openKernel({
    sandbox,
    clock,
    limits: limits.values,
    missionTrustDomain: runRef,
    runDeadlineAt: runDeadline.at,
    missions: new Map(),
    contracts,
    evidence: { keepsRecords: true, event: () => 'accepted', record: async () => true },
    broker,
    providerFailures: broker.failures,
    random: (bytes) => void randomFillSync(bytes),
  });
  for (const [name, route] of kernel.routes) routes.set(name, route);
  return {
    broker,
    kernel,
    missions: new Map(),
    usageKeys: ['workflow/llm-request'],
    snapshots: [],
    runDeadline,
    providerActivity: false,
    close: async () => null,
  };
}
