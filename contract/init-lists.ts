/**
 * What init creates, verbatim and in order (interface.md §1.4.3; which call gives which: cli.md §8). The
 * scaffold is not sorted, and the later lists keep the places that their names once had.
 */
export const INIT_LISTS = {
  scaffold: ['AGENTS.md', '.gitignore', 'main.clj', 'svc.json', 'svc-project.json'],
  kernel_tutorial: [
    '.env',
    '.gitignore',
    '01-orders',
    '01-orders.svc-project.json',
    '02-deepseek-extract',
    '02-deepseek-extract.svc-project.json',
    '03-file-agent',
    '03-file-agent.svc-project.json',
    '04-multi-turn-agent',
    '04-multi-turn-agent.svc-project.json',
    '05-signature-feedback',
    '05-signature-feedback.svc-project.json',
    '06-cost-budget',
    '06-cost-budget.svc-project.json',
    '07-parallel-fan-out',
    '07-parallel-fan-out.svc-project.json',
    'AGENTS.md',
    'README.md',
    'svc-host-cost-budget.json',
    'svc-host.json',
  ],
  support_triage: [
    '.env',
    '.gitignore',
    '01-one-question',
    '01-one-question.svc-project.json',
    '02-domain-api',
    '02-domain-api.svc-project.json',
    '03-specialists',
    '03-specialists.svc-project.json',
    'AGENTS.md',
    'README.md',
    'mission-boundary-check',
    'mission-boundary-check.svc-project.json',
    'svc-host.json',
  ],
  adaptive_web_parser: [
    '.gitignore',
    'AGENTS.md',
    'README.md',
    'artifact.clj',
    'browser.clj',
    'evidence.clj',
    'fixture.mjs',
    'svc-host.json',
    'svc-host.live.json',
    'svc-project.json',
    'svc.json',
    'repair-recipe.schema.json',
    'replay.jsonl',
    'run.mjs',
    'site.clj',
    'workflow.clj',
  ],
  debug_a_failed_run: [
    '.gitignore',
    'AGENTS.md',
    'README.md',
    'debugger',
    'debugger-agent',
    'debugger-agent.svc-project.json',
    'debugger.svc-project.json',
    'next-order.json',
    'svc-host.json',
    'repair-agent',
    'repair-agent-ambiguous.svc-project.json',
    'repair-agent.svc-project.json',
    'run-self-improvement.sh',
    'self-check-workflow-host.json',
    'self-check-workflow.svc-project.json',
    'self-check.svc-project.json',
    'self-check.svc.json',
    'self-debugger',
    'self-debugger.svc-project.json',
    'self-debugger.svc.json',
    'self-host.json',
    'self-improver-host.json',
    'self-improver.svc-project.json',
    'self-improver.svc.json',
    'self-repair.svc-project.json',
    'self-repair.svc.json',
    'target',
    'target.svc-project.json',
    'variants',
  ],
  llm_replay: [
    '.gitignore',
    'AGENTS.md',
    'README.md',
    'svc-host.json',
    'svc-project.json',
    'svc.json',
    'replay.jsonl',
    'workflow.clj',
  ],
  named_mission_reader_writer: [
    '.env',
    '.gitignore',
    'AGENTS.md',
    'README.md',
    'svc-host.json',
    'svc-project.json',
    'svc.json',
    'reader-state',
    'reader.clj',
    'workflow.clj',
    'writer-state',
    'writer.clj',
  ],
} as const;

/** The files of a scaffold or of an example, in the published order (cli.md §8). */
export type InitList = (typeof INIT_LISTS)[keyof typeof INIT_LISTS];

/** The list of each example name; without an example it is `scaffold`. */
export const EXAMPLE_LISTS = {
  'kernel-tutorial': INIT_LISTS.kernel_tutorial,
  'support-triage': INIT_LISTS.support_triage,
  'adaptive-web-parser': INIT_LISTS.adaptive_web_parser,
  'debug-a-failed-run': INIT_LISTS.debug_a_failed_run,
  'decision-refund-triage': INIT_LISTS.llm_replay,
  'llm-replay': INIT_LISTS.llm_replay,
  'named-mission-reader-writer': INIT_LISTS.named_mission_reader_writer,
} as const;

/** An example that `svc init` can lay out (cli.md §8). */
export type ExampleName = keyof typeof EXAMPLE_LISTS;

/** In the order of interface.md. */
export const EXAMPLE_NAMES = [
  'kernel-tutorial',
  'support-triage',
  'adaptive-web-parser',
  'debug-a-failed-run',
  'decision-refund-triage',
  'llm-replay',
  'named-mission-reader-writer',
] as const satisfies readonly ExampleName[];

/**
 * Shipped examples beyond those of interface.md. The result of `init` is one of the lists above, so an envelope cannot
 * say what these create (cli.md §8).
 */
export const FURTHER_EXAMPLE_NAMES = [
  'custom-capabilities',
  'fan-out-documents',
  'gateway',
  'hosted-runner',
  'long-logbook',
  'refund-approvals',
] as const;

/** What `svc init --example` takes. */
export const OFFERED_EXAMPLE_NAMES = [...EXAMPLE_NAMES, ...FURTHER_EXAMPLE_NAMES] as const;
/** One of them. */
export type OfferedExampleName = (typeof OFFERED_EXAMPLE_NAMES)[number];

/** Whether its list is one of those that an envelope can hold. */
export function isListedExample(name: string): name is ExampleName {
  return Object.hasOwn(EXAMPLE_LISTS, name);
}
