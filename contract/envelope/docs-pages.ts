/** Documentation pages in the order of the index (interface.md §1.4.2); prose pages are searched. */
export const PROSE_PAGES = [
  'agent-guide',
  'quickstart',
  'getting-started',
  'concepts',
  'building-agents',
  'manifests-and-capabilities',
  'components-and-preludes',
  'designing-agent-workflows',
  'agent-workflow-patterns',
  'using-models',
  'host-configuration',
  'project-configuration',
  'connecting-tools-with-mcp',
  'serving-a-workflow-over-mcp',
  'running-and-debugging',
  'self-improvement',
  'evaluating-with-replay',
  'kernel-repl',
  'inspect-source',
  'cli',
  'svc-lisp',
  'functions',
  'preludes',
  'agent-library',
  'signatures',
  'java-interop',
  'conformance-gaps',
  'manifest',
  'components',
  'project',
  'examples',
  'host',
  'mcp',
  'gateway',
  'limits',
  'viewer',
  'repl',
  'source-inspection',
  'debug',
  'traces',
  'install',
  'install-docker',
  'install-source',
] as const;

export const SCHEMA_PAGES = [
  'schema-manifest',
  'schema-project',
  'schema-host',
  'schema-gateway',
  'schema-mcp',
  'schema-envelope',
] as const;

export const DOCS_PAGES = [...PROSE_PAGES, ...SCHEMA_PAGES] as const;

/** A page of text, which a search looks through (cli.md §7). */
export type ProsePage = (typeof PROSE_PAGES)[number];
/** Any page that `svc docs` shows (interface.md). */
export type DocsPage = (typeof DOCS_PAGES)[number];
