/** The trees of `svc init --example`. */
import {
  EXAMPLE_LISTS,
  isListedExample,
  OFFERED_EXAMPLE_NAMES,
  type OfferedExampleName,
} from '../../contract/init-lists.ts';
import { code, page } from './tables.ts';

/** Names of the trees and what they show; commands are those of their own READMEs. */
const EXAMPLES: Readonly<
  Record<OfferedExampleName, { readonly what: string; readonly commands: readonly string[]; readonly value?: string }>
> = {
  'kernel-tutorial': {
    what: 'Seven steps from a plain workflow to agents that work in parallel; each folder is an application of its own.',
    commands: [
      'svc run 01-orders.svc-project.json',
      'svc run 02-deepseek-extract.svc-project.json --host-config 02-deepseek-extract/svc-host.replay.json',
      'svc run 03-file-agent.svc-project.json --host-config 03-file-agent/svc-host.replay.json',
      'svc run 04-multi-turn-agent.svc-project.json --host-config 04-multi-turn-agent/svc-host.replay.json',
      'svc run 05-signature-feedback.svc-project.json',
      'OPENROUTER_API_KEY=any svc run 06-cost-budget.svc-project.json',
      'svc run 07-parallel-fan-out.svc-project.json --host-config 07-parallel-fan-out/svc-host.replay.json',
    ],
  },
  'support-triage': {
    what: 'Six support tickets, an agent, and what it may touch: one question, an API of the domain, specialists, and a program that tries to leave its mission.',
    commands: [
      'svc run 01-one-question.svc-project.json --host-config 01-one-question/svc-host.replay.json',
      'svc run 02-domain-api.svc-project.json --host-config 02-domain-api/svc-host.replay.json',
      'svc run 03-specialists.svc-project.json --host-config 03-specialists/svc-host.replay.json',
      'svc run mission-boundary-check.svc-project.json',
    ],
  },
  'adaptive-web-parser': {
    what: 'A parser whose selectors an agent repairs when a site was rebuilt: what it proposes is checked on a page that it never saw, and the next run asks no model.',
    commands: ['node run.mjs'],
  },
  'debug-a-failed-run': {
    what: 'An order comes out wrong in a private run; a program, and then agents, find the reason in what the run left for its owner, and a workflow improves itself in five stages.',
    commands: [
      'svc run target.svc-project.json',
      'svc run debugger.svc-project.json',
      'svc run debugger-agent.svc-project.json --host-config debugger-agent/svc-host.replay.json',
      'svc run repair-agent.svc-project.json --host-config repair-agent/svc-host.replay.json',
      'sh run-self-improvement.sh -',
    ],
  },
  'decision-refund-triage': {
    what: 'Six yes-or-no questions about six tickets in one request to a model that decides and answers nothing else.',
    commands: ['svc validate svc-project.json', 'svc run svc-project.json'],
    value: '`refund_ticket_ids` T-1001 and T-1004, `decisions`, `model`, `usage`',
  },
  'llm-replay': {
    what: 'A workflow that asks a model whose answers are frozen, and what happens when a request changes.',
    commands: ['svc validate svc-project.json', 'svc run svc-project.json'],
    value: '`{"content":"Customers can now cancel an order at any time before it is packed.","model":"frozen-model"}`',
  },
  'named-mission-reader-writer': {
    what: 'Two missions with different rights: one may read files and write nothing, the other the reverse, with a workflow between them.',
    commands: ['svc run svc-project.json --host-config reader-state/offline/svc-host.replay.json'],
    value: '`read`, the text of `brief.txt`, and `"written":"summary.txt"`, which is then in `writer-state`',
  },
  'custom-capabilities': {
    what: 'A program of your own that embeds svc, and whose functions are what a workflow and a mission may call.',
    commands: ['npm install /path/to/svc-lisp-svc-0.1.0.tgz', 'node run.ts', 'node --test'],
    value: '`{"A-1":"on-time","A-2":"refunded","A-3":"ask-a-person","A-4":"not_found"}`',
  },
  'fan-out-documents': {
    what: 'Six letters, an agent for each of them, all at once and in one mission; what one of them cannot do is a report and not the end of the others.',
    commands: ['svc run svc-project.json --host-config offline/svc-host.replay.json', 'svc test'],
    value: 'all cases pass',
  },
  gateway: {
    what: 'Two workflows as MCP tools over HTTP, behind a bearer; one is an agent.',
    commands: ['export GATEWAY_TOKEN=$(head -c 24 /dev/urandom | base64)', 'svc gateway gateway.json --check'],
    value: 'a line for each tool; without `--check` the gateway serves until it is ended',
  },
  'hosted-runner': {
    what: 'A service that takes runs of three tenants over HTTP and leaves them to `svc runner` processes over one PostgreSQL database.',
    commands: ['svc run application/svc.json'],
    value: '`{"check":217,"orders":0,"total":0}`; `README.md` says how to start the service and its runners',
  },
  'long-logbook': {
    what: 'One agent in 120 turns, whose old turns are dropped from what its model is sent.',
    commands: ['svc run svc-project.json --host-config offline/svc-host.replay.json', 'svc test'],
    value: 'all cases pass',
  },
  'refund-approvals': {
    what: 'An agent that reads tickets and writes refunds, each of which asks a person first: at the terminal, by another command, in the viewer.',
    commands: ['svc run svc-project.json --approve-writes', 'svc test'],
    value: 'three refunds, `ok` for each; without `--approve-writes` you are asked',
  },
};

/** What each command comes to. */
const VALUES: Readonly<Record<string, string>> = {
  'svc run 01-orders.svc-project.json':
    '`{"order_count":3,"paid_count":2,"paid_total":335.75,"pending_ids":["A-101"]}`',
  'svc run 02-deepseek-extract.svc-project.json --host-config 02-deepseek-extract/svc-host.replay.json':
    'an object of `owner`, `project` and `risk`, each a text or null',
  'svc run 03-file-agent.svc-project.json --host-config 03-file-agent/svc-host.replay.json':
    'the text of `files/brief.txt`, which an agent read page by page',
  'svc run 04-multi-turn-agent.svc-project.json --host-config 04-multi-turn-agent/svc-host.replay.json':
    '`42`: a definition of the first turn, used in the second',
  'svc run 05-signature-feedback.svc-project.json':
    '`invalid_evaluation`, `model_feedback` and `corrected_evaluation`, whose value is 42',
  'OPENROUTER_API_KEY=any svc run 06-cost-budget.svc-project.json':
    'status 6, `runtime_limit_exceeded`, before any request is sent',
  'svc run 07-parallel-fan-out.svc-project.json --host-config 07-parallel-fan-out/svc-host.replay.json':
    '`answers`, twelve of them with `topic` and `answer`, and `summary`: 13 requests',
  'svc run 01-one-question.svc-project.json --host-config 01-one-question/svc-host.replay.json':
    '`["T-1001","T-1004"]`',
  'svc run 02-domain-api.svc-project.json --host-config 02-domain-api/svc-host.replay.json':
    '`id` and `priority` of T-1004 (81), T-1001 (75), T-1006 (58), T-1005 (52)',
  'svc run 03-specialists.svc-project.json --host-config 03-specialists/svc-host.replay.json':
    '`escalations`, each with `id`, `priority`, `team` and `first_action`, and `summary`',
  'svc run mission-boundary-check.svc-project.json':
    '`granted`: six tickets and a priority of 55; `denied`: what the same program gets in another mission',
  'node run.mjs':
    'two runs: `"mode":"repaired"` with two records, then `"mode":"reused"` with the same and an empty `llm_usage`, both `"status":"passed"`',
  'svc run target.svc-project.json': 'status 5, `explicit_failure`: the failed run that the others look at',
  'svc run debugger.svc-project.json':
    'a private result in `.svc-private-debugger/results`, what was captured of the failed run: `run_id`, `generated_source`, `dependency_closure`, `reached_sources`, and no `diagnosis`',
  'svc run debugger-agent.svc-project.json --host-config debugger-agent/svc-host.replay.json':
    'a private result: `decision`, `cause`, `evidence`',
  'svc run repair-agent.svc-project.json --host-config repair-agent/svc-host.replay.json':
    'a private result: `decision` (`propose`), `component_id`, `candidate_source`, `evidence`',
};

const NO_ENVELOPE = '`svc init` lists its files in a pipe; it takes no `--envelope`.';

function outcomes(commands: readonly string[], value: string | undefined): string {
  return commands
    .flatMap((command) => {
      const outcome = VALUES[command] ?? (command === commands.at(-1) ? value : undefined);
      return outcome === undefined ? [] : [`- ${code(command.split(' --host-config')[0] ?? '')}: ${outcome}.`];
    })
    .join('\n');
}

function examples(): readonly (readonly [OfferedExampleName, (typeof EXAMPLES)[OfferedExampleName]])[] {
  return OFFERED_EXAMPLE_NAMES.map((name) => [name, EXAMPLES[name]]);
}

/** The whole page. */
export function examplesPage(): string {
  return page(
    '# Examples',
    '`svc init DIRECTORY --example NAME` creates one of these trees: programs, documents, recorded answers, and a README that says what to try. They run without a network and a key, but for the two that embed svc, which install packages.',
    ...examples().map(([name, { what, commands, value }]) =>
      page(
        `## ${name}`,
        what,
        isListedExample(name) ? `${EXAMPLE_LISTS[name].length} files and folders.` : NO_ENVELOPE,
        outcomes(commands, value),
      ),
    ),
    'With a key of your own, leave out `--host-config` and put the key into `.env` where the tree has one.',
  );
}
