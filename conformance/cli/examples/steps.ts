/** Lists of cli.md §8, of the trees that are whole. */
export const OFFERED: Readonly<Record<string, readonly string[]>> = {
  'support-triage': [
    '.env', '.gitignore', '01-one-question', '01-one-question.svc-project.json', '02-domain-api', '02-domain-api.svc-project.json', '03-specialists',
    '03-specialists.svc-project.json', 'AGENTS.md', 'README.md', 'mission-boundary-check', 'mission-boundary-check.svc-project.json', 'svc-host.json',
  ],
  'llm-replay': ['.gitignore', 'AGENTS.md', 'README.md', 'svc-host.json', 'svc-project.json', 'svc.json', 'replay.jsonl', 'workflow.clj'],
};

/** One application of a tree, and what it comes to (cli.md §9). */
export interface ExampleStep {
  readonly tree: string;
  /** Null where the tree is one application. */
  readonly step: string | null;
  /** What keeps it from a network: nothing is asked, its own host replays, or the tree's host does. */
  readonly replay: 'nothing asked' | 'own host' | "tree's host";
  /** Requests to models, each with an entry of its own in `replay.jsonl`. */
  readonly requests: number;
  /** Value, or `$matches` within it. */
  readonly value?: unknown;
  readonly exit?: number;
  /** Part of its diagnostic. */
  readonly failure?: string;
}

const text = { $matches: '.+' };

export const STEPS: readonly ExampleStep[] = [
  { tree: 'kernel-tutorial', step: '01-orders', replay: 'nothing asked', requests: 0, value: { order_count: 3, paid_count: 2, paid_total: 335.75, pending_ids: ['A-101'] } },
  { tree: 'kernel-tutorial', step: '02-deepseek-extract', replay: 'own host', requests: 1, value: { owner: 'Mara', project: 'Lighthouse', risk: text } },
  { tree: 'kernel-tutorial', step: '04-multi-turn-agent', replay: 'own host', requests: 2, value: 42 },
  {
    tree: 'kernel-tutorial', step: '05-signature-feedback', replay: 'nothing asked', requests: 0,
    value: {
      invalid_evaluation: { outcome: 'evaluation_error', kind: text, reason: 'component_contract_error' },
      model_feedback: { $matches: String.raw`The program failed [^]*expected :int[^]*Send one corrected call\.` },
      corrected_evaluation: { outcome: 'returned', value: 42 },
    },
  },
  { tree: 'kernel-tutorial', step: '06-cost-budget', replay: 'nothing asked', requests: 0, exit: 6, failure: 'execution/runtime_limit_exceeded' },
  { tree: 'kernel-tutorial', step: '07-parallel-fan-out', replay: 'own host', requests: 13, value: { answers: Array.from({ length: 12 }, () => ({ topic: text, answer: text })), summary: text } },
  { tree: 'support-triage', step: '01-one-question', replay: 'own host', requests: 2, value: ['T-1001', 'T-1004'] },
  {
    tree: 'support-triage', step: '02-domain-api', replay: 'own host', requests: 4,
    value: [{ id: 'T-1004', priority: 81 }, { id: 'T-1001', priority: 75 }, { id: 'T-1006', priority: 58 }, { id: 'T-1005', priority: 52 }],
  },
  {
    tree: 'support-triage', step: '03-specialists', replay: 'own host', requests: 4,
    value: {
      escalations: [
        { id: 'T-1004', priority: 81, team: 'payments', first_action: text },
        { id: 'T-1001', priority: 75, team: 'payments', first_action: text },
        { id: 'T-1006', priority: 58, team: 'support', first_action: text },
      ],
      summary: text,
    },
  },
  {
    tree: 'support-triage', step: 'mission-boundary-check', replay: 'nothing asked', requests: 0,
    value: {
      granted: { mission: 'triage', tickets_visible: 6, probe_priority: 55 },
      denied: { mission: 'escalation', mission_data: { $matches: '.*data/tickets.*' }, mission_component: { $matches: '.*tickets.*' } },
    },
  },
  { tree: 'llm-replay', step: null, replay: "tree's host", requests: 1, value: { content: 'Customers can now cancel an order at any time before it is packed.', model: 'frozen-model' } },
];
