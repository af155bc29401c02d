import { DOCS_PAGES, SCHEMA_PAGES, type DocsPage } from '../../contract/envelope/docs-pages.ts';

/** What the list of pages is ordered by (first-day.md §5). */
export const HEADINGS = ['start', 'guides', 'reference', 'schemas'] as const;
export type Heading = (typeof HEADINGS)[number];

/**
 * Pages beyond those of interface.md, which only people are shown (cli.md §7): the name, the file in the repository and
 * the heading.
 */
const FURTHER = {
  testing: ['docs/testing.md', 'guides'],
  evaluating: ['docs/evaluating.md', 'guides'],
  editors: ['docs/editors.md', 'guides'],
  tools: ['docs/tools.md', 'guides'],
  approvals: ['docs/approvals.md', 'guides'],
  decisions: ['docs/decisions.md', 'guides'],
  embedding: ['docs/supervisor.md', 'guides'],
  sandbox: ['docs/sandbox.md', 'guides'],
  'custom-capabilities': ['docs/custom-capabilities.md', 'guides'],
  runners: ['docs/runners.md', 'guides'],
  containers: ['docs/containers.md', 'guides'],
  telemetry: ['docs/telemetry.md', 'guides'],
  explain: ['docs/explain.md', 'guides'],
  sessions: ['docs/repl.md', 'guides'],
  'viewing-runs': ['docs/viewer.md', 'guides'],
  'trial-of-agents': ['docs/trial-of-agents.md', 'guides'],
  'azure-openai': ['docs/models/azure-openai.md', 'guides'],
  'corporate-proxy': ['docs/models/corporate-proxy.md', 'guides'],
  litellm: ['docs/models/litellm.md', 'guides'],
  ollama: ['docs/models/ollama.md', 'guides'],
  openrouter: ['docs/models/openrouter.md', 'guides'],
  vllm: ['docs/models/vllm.md', 'guides'],
  'example-kernel-tutorial': ['examples/kernel-tutorial/README.md', 'guides'],
  'example-support-triage': ['examples/support-triage/README.md', 'guides'],
  'example-adaptive-web-parser': ['examples/adaptive-web-parser/README.md', 'guides'],
  'example-debug-a-failed-run': ['examples/debug-a-failed-run/README.md', 'guides'],
  'example-decision-refund-triage': ['examples/decision-refund-triage/README.md', 'guides'],
  'example-llm-replay': ['examples/llm-replay/README.md', 'guides'],
  'example-named-mission-reader-writer': ['examples/named-mission-reader-writer/README.md', 'guides'],
  'example-fan-out-documents': ['examples/fan-out-documents/README.md', 'guides'],
  'example-gateway': ['examples/gateway/README.md', 'guides'],
  'example-custom-capabilities': ['examples/custom-capabilities/README.md', 'guides'],
  'example-long-logbook': ['examples/long-logbook/README.md', 'guides'],
  'example-hosted-runner': ['examples/hosted-runner/README.md', 'guides'],
  design: ['docs/design.md', 'reference'],
  maintaining: ['docs/maintaining.md', 'reference'],
  specification: ['docs/spec/README.md', 'reference'],
  conformance: ['conformance/README.md', 'reference'],
  'model-servers': ['conformance/servers/llm/README.md', 'reference'],
  figures: ['bench/README.md', 'reference'],
  'clojure-suite': ['sandbox/test/clojure-suite/README.md', 'reference'],
} as const satisfies Readonly<Record<string, readonly [file: string, heading: Heading]>>;

export type FurtherPage = keyof typeof FURTHER;
/** Any page that a person can be shown. */
export type PageName = DocsPage | FurtherPage;

/** A page of the documentation, and where its text is kept; null: the build makes it. */
export interface CataloguedPage {
  readonly name: PageName;
  readonly heading: Heading;
  /** Relative to the repository. */
  readonly file: string | null;
}

/** The pages with which another heading begins, in the order of interface.md §1.4.2. */
const BEGINS: Readonly<Partial<Record<DocsPage, Heading>>> = {
  'building-agents': 'guides',
  cli: 'reference',
  install: 'start',
  'schema-manifest': 'schemas',
};

/** Every page, heading by heading. */
export const CATALOGUE: readonly CataloguedPage[] = byHeading([...ofTheInterface(), ...further()]);

/** Every name that `svc docs` takes. */
export const PAGE_NAMES: readonly PageName[] = CATALOGUE.map(({ name }) => name);

export function isFurtherPage(name: string): name is FurtherPage {
  return Object.hasOwn(FURTHER, name);
}

function byHeading(pages: readonly CataloguedPage[]): readonly CataloguedPage[] {
  return HEADINGS.flatMap((wanted) => pages.filter(({ heading }) => heading === wanted));
}

function ofTheInterface(): readonly CataloguedPage[] {
  let heading: Heading = 'start';
  return DOCS_PAGES.map((name) => {
    heading = BEGINS[name] ?? heading;
    const isSchema = SCHEMA_PAGES.some((schema) => schema === name);
    return { name, heading, file: isSchema ? null : `docs/pages/${name}.md` };
  });
}

function further(): readonly CataloguedPage[] {
  return Object.entries(FURTHER).flatMap(([name, [file, heading]]) =>
    isFurtherPage(name) ? [{ name, heading, file }] : [],
  );
}
