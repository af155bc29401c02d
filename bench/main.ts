/** Runs the benchmarks (all, or those named as arguments) and ends with status 1 when a figure misses its bound. */
import { type Figure, holds, render } from './figure.ts';

const suites: Readonly<Record<string, () => Promise<Figure[]>>> = {
  program: async () => (await import('./program.ts')).programFigures(),
  isolates: async () => (await import('./isolates.ts')).isolateFigures(),
  missions: async () => (await import('./missions.ts')).missionFigures(),
  restore: async () => (await import('./restore.ts')).restoreFigures(),
  crowd: async () => (await import('./crowd.ts')).crowdFigures(),
  language: async () => (await import('./language.ts')).languageFigures(),
  parallel: async () => (await import('./parallel.ts')).parallelFigures(),
  collections: async () => (await import('./collections.ts')).collectionFigures(),
  json: async () => (await import('./json.ts')).jsonFigures(),
  documents: async () => (await import('./documents.ts')).documentFigures(),
  models: async () => (await import('./models.ts')).modelFigures(),
  supervisor: async () => (await import('./supervisor.ts')).supervisorFigures(),
  tenants: async () => (await import('./tenants.ts')).tenantFigures(),
  'model-calls': async () => (await import('./model-calls.ts')).modelCallFigures(),
  agents: async () => (await import('./agents.ts')).agentFigures(),
  'long-loop': async () => (await import('./long-loop.ts')).longLoopFigures(),
  mcp: async () => (await import('./tool-calls.ts')).toolCallFigures(),
  entries: async () => (await import('./entries.ts')).entryFigures(),
  runs: async () => (await import('./runs.ts')).runFigures(),
  gateway: async () => (await import('./gateway.ts')).gatewayFigures(),
  code: async () => (await import('./code-mode.ts')).codeModeFigures(),
  approvals: async () => (await import('./approvals.ts')).approvalFigures(),
  editor: async () => (await import('./editor.ts')).editorFigures(),
  viewer: async () => (await import('./viewer.ts')).viewerFigures(),
  root: async () => (await import('./viewer-root.ts')).rootFigures(),
  conversation: async () => (await import('./viewer-conversation.ts')).conversationFigures(),
  trials: async () => (await import('./trials.ts')).trialFigures(),
};

const wanted = process.argv.slice(2);
let missed = 0;
for (const [name, suite] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`# ${name}\n`);
  for (const figure of await suite()) {
    if (!holds(figure)) missed += 1;
    process.stdout.write(`${render(figure)}\n`);
  }
}
process.exitCode = missed === 0 ? 0 : 1;
