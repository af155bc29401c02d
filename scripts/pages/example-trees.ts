/** The trees of `svc init --example`. */
import {
  EXAMPLE_LISTS,
  isListedExample,
  OFFERED_EXAMPLE_NAMES,
  type OfferedExampleName,
} from '../../contract/init-lists.ts';
import { page } from './tables.ts';

/** What each tree shows; its README has the commands, and what they print. */
const EXAMPLES: Readonly<Record<OfferedExampleName, string>> = {
  'kernel-tutorial':
    'Seven steps from a plain workflow to agents that work in parallel; each folder is an application of its own.',
  'support-triage':
    'Six support tickets, an agent, and what it may touch: one question, an API of the domain, specialists, and a program that tries to leave its mission.',
  'adaptive-web-parser':
    'A parser whose selectors an agent repairs when a site was rebuilt. What it proposes is checked on a page that it never saw, and the next run asks no model.',
  'debug-a-failed-run':
    'An order comes out wrong in a private run. A program, and then agents, find the reason in what the run left for its owner, and a workflow improves itself in five stages.',
  'decision-refund-triage':
    'Six yes-or-no questions about six tickets in one request to a model that decides and answers nothing else.',
  'llm-replay': 'A workflow that asks a model whose answers are frozen, and what happens when a request changes.',
  'named-mission-reader-writer':
    'Two missions with different rights: one may read files and write nothing, the other the reverse, with a workflow between them.',
  'custom-capabilities':
    'A program of your own that embeds svc, and whose functions are what a workflow and a mission may call.',
  'fan-out-documents':
    'Six letters and an agent for each of them, all at once in one mission. One that fails is reported and stops no other.',
  gateway: 'Two workflows as MCP tools over HTTP, behind a bearer; one is an agent.',
  'hosted-runner':
    'A service that takes runs of three tenants over HTTP and leaves them to `svc runner` processes over one PostgreSQL database.',
  'long-logbook': 'One agent in 120 turns, whose old turns are dropped from what its model is sent.',
  'refund-approvals':
    'An agent that reads tickets and writes refunds, each of which asks a person first: at the terminal, by another command, in the viewer.',
};

function sizeOf(name: OfferedExampleName): string {
  return isListedExample(name) ? ` ${EXAMPLE_LISTS[name].length} files and folders.` : '';
}

/** The whole page. */
export function examplesPage(): string {
  return page(
    '# Examples',
    '`svc init DIRECTORY --example NAME` creates one of these trees: programs, documents, recorded answers, and a README with the commands and what they print. They run without a network and a key, but for the two that embed svc, which install packages. With a key of your own, leave out `--host-config` and put the key into `.env` where the tree has one. An envelope (`--envelope`) can list only the trees whose size is given here.',
    ...OFFERED_EXAMPLE_NAMES.map((name) =>
      page(`## ${name}`, `${EXAMPLES[name]}${sizeOf(name)} [Commands](../../examples/${name}/README.md).`),
    ),
  );
}
