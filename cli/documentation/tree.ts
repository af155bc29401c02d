/** The parts of the documentation, in the order in which a newcomer meets them. */
export const PARTS = ['start', 'guides', 'reference', 'why'] as const;
export type Part = (typeof PARTS)[number];

/** Pages that are about one thing; a page of a part is `docs/PART/NAME.md` unless `OTHER_FILES` has it. */
interface PageGroup {
  readonly part: Part;
  /** Shown above its pages; empty: there is nothing to say but the part. */
  readonly title: string;
  readonly pages: readonly string[];
}

/** Every page once, in the order in which lists show them. */
export const TREE = [
  {
    part: 'start',
    title: '',
    pages: ['install', 'quickstart', 'concepts', 'agent-guide'],
  },
  {
    part: 'guides',
    title: 'Build an application',
    pages: [
      'building-agents',
      'designing-agent-workflows',
      'parallel-documents',
      'manifests-and-capabilities',
      'components-and-preludes',
      'host-configuration',
      'secrets',
      'project-configuration',
      'custom-capabilities',
      'decisions',
      'self-improvement',
      'editors',
    ],
  },
  {
    part: 'guides',
    title: 'Recipes',
    pages: ['recipes-data', 'recipes-programs', 'recipes-tools', 'recipes-runs'],
  },
  {
    part: 'guides',
    title: 'Connect models',
    pages: ['using-models', 'ollama', 'vllm', 'litellm', 'openrouter', 'azure-openai', 'corporate-proxy'],
  },
  { part: 'guides', title: 'Connect tools', pages: ['connecting-tools-with-mcp', 'behind-your-agent', 'approvals'] },
  {
    part: 'guides',
    title: 'Run and debug',
    pages: ['running-and-debugging', 'costs', 'viewing-runs', 'kernel-repl'],
  },
  { part: 'guides', title: 'Test and evaluate', pages: ['testing', 'evaluating'] },
  {
    part: 'guides',
    title: 'Serve, embed, operate',
    pages: ['serving-a-workflow-over-mcp', 'sandbox', 'embedding', 'runners', 'containers', 'telemetry', 'upgrading'],
  },
  {
    part: 'guides',
    title: 'Examples to copy',
    pages: [
      'example-kernel-tutorial',
      'example-support-triage',
      'example-adaptive-web-parser',
      'example-debug-a-failed-run',
      'example-decision-refund-triage',
      'example-llm-replay',
      'example-named-mission-reader-writer',
      'example-fan-out-documents',
      'example-gateway',
      'example-custom-capabilities',
      'example-long-logbook',
      'example-hosted-runner',
      'example-refund-approvals',
    ],
  },
  {
    part: 'reference',
    title: 'The language',
    pages: ['svc-lisp', 'functions', 'preludes', 'agent-library', 'signatures', 'java-interop', 'conformance-gaps'],
  },
  {
    part: 'reference',
    title: 'Documents',
    pages: ['manifest', 'components', 'project', 'host', 'mcp', 'gateway', 'limits', 'examples'],
  },
  {
    part: 'reference',
    title: 'Commands and evidence',
    pages: ['cli', 'repl', 'viewer', 'traces', 'source-inspection', 'debug', 'supervisor'],
  },
  {
    part: 'reference',
    title: 'JSON Schemas',
    pages: ['schema-manifest', 'schema-project', 'schema-host', 'schema-gateway', 'schema-mcp', 'schema-envelope'],
  },
  { part: 'why', title: '', pages: ['security', 'comparison', 'why-one-tool', 'design'] },
  {
    part: 'why',
    title: 'Work on svc itself',
    pages: [
      'maintaining',
      'specification',
      'conformance',
      'model-servers',
      'figures',
      'trial-of-agents',
      'style',
      'clojure-suite',
    ],
  },
] as const satisfies readonly PageGroup[];

/** Pages that are kept beside what they are about. Relative to the repository. */
export const OTHER_FILES: Readonly<Record<string, string>> = {
  specification: 'docs/spec/README.md',
  conformance: 'conformance/README.md',
  'model-servers': 'conformance/servers/llm/README.md',
  figures: 'bench/README.md',
  'clojure-suite': 'sandbox/test/clojure-suite/README.md',
};

/** Further names of a page: a name that people know keeps working when two pages become one (interface.md §1.4.2). */
export const OTHER_NAMES = {
  'getting-started': 'quickstart',
  'install-source': 'install',
  'install-docker': 'containers',
  'agent-workflow-patterns': 'designing-agent-workflows',
  tools: 'connecting-tools-with-mcp',
  explain: 'running-and-debugging',
  sessions: 'kernel-repl',
  'inspect-source': 'source-inspection',
  'evaluating-with-replay': 'testing',
} as const satisfies Readonly<Record<string, TreePage>>;

/** A page by its first name. */
export type TreePage = (typeof TREE)[number]['pages'][number];
