import { setTimeout as wait } from 'node:timers/promises';
import { APPROVAL_SCOPES } from '../../contract/approval.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import {
  storedCodeQuestions,
  openProjectApprovals,
  type DecisionOutcome,
  type StoredApproval,
  type ProjectApprovals,
} from '../../supervisor/api/approvals.ts';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { thisMachine } from '../../supervisor/api/machine.ts';
import { openControllingTerminal } from '../approvals/controlling-terminal.ts';
import { allArguments, programText, questionText } from '../approvals/question-text.ts';
import { approvalTask } from '../declaration/commands/approvals.ts';
import { optionValue } from '../declaration/argument-values.ts';
import type { CommandArguments } from '../declaration/types.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { approvalFacts, approvalsTable } from '../streams/approvals-table.ts';
import type { Command, CommandContext } from './command.ts';
import { unreadProject } from './unread-project.ts';

const USUAL_PROJECT = 'svc-project.json';
const WATCH_MS = 500;

/** Decides calls that wait for a person (approvals.md §5). */
export const approvalsCommand: Command = async (commandArguments, context) => {
  const own = storedCodeQuestions(context.variables, context.workingDirectory);
  const opened = await openProjectApprovals({
    project: optionValue(commandArguments, '--project') ?? (own === null ? USUAL_PROJECT : null),
    own,
    workingDirectory: context.workingDirectory,
    documents: thisMachine(context.programDirectory).documents,
    warn: (line) => context.progressStream().write(line),
  });
  if (!opened.ok)
    return opened.reason === undefined
      ? { kind: 'failed', diagnostic: opened.diagnostic, hint: opened.hint }
      : unreadProject(commandArguments, context, { ...opened, reason: opened.reason });
  const { approvals } = opened;
  const task = approvalTask(commandArguments);
  if (task === 'list') {
    if (commandArguments.options.has('--watch')) return watch(approvals, commandArguments, context);
    const rows = await approvals.open();
    return result({ approvals: rows.map(approvalFacts) }, commandArguments, () => approvalsTable(rows, Date.now()));
  }
  const [, word = ''] = commandArguments.positionals;
  const found = await approvals.find(word);
  if (found === 'unknown' || found === 'ambiguous') return refused(found);
  if (task === 'show')
    return result(approvalFacts(found), commandArguments, (columns) => shownQuestion(found, columns ?? COLUMNS));
  return task === 'approve'
    ? approve(approvals, found, commandArguments, context)
    : deny(approvals, found, commandArguments);
};

const COLUMNS = 80;

async function approve(
  approvals: ProjectApprovals,
  found: StoredApproval,
  commandArguments: CommandArguments,
  { signal }: CommandContext,
): Promise<CommandEnd> {
  if (commandArguments.options.has('--unattended')) {
    if (!approvals.mayBeUnattended)
      return refused('the host document of the project does not let programs decide: set approvals.unattended in it');
    return decide(approvals, found, { decision: 'allow', scope: scopeOf(commandArguments) }, commandArguments);
  }
  const terminal = openControllingTerminal();
  if (terminal === null) return refused('there is no terminal to ask at: a person decides, and types y there');
  try {
    // A `y` that was typed before the question answers nothing.
    await terminal.discardTyped();
    terminal.write(shownQuestion(found, terminal.columns()));
    terminal.write('allow it? [y/N] ');
    const line = await terminal.readLine(signal);
    if (line === null || !['y', 'yes'].includes(line.trim().toLowerCase()))
      return refused('nothing was decided: the answer was not y');
  } finally {
    terminal.close();
  }
  return decide(approvals, found, { decision: 'allow', scope: scopeOf(commandArguments) }, commandArguments);
}

function deny(
  approvals: ProjectApprovals,
  found: StoredApproval,
  commandArguments: CommandArguments,
): Promise<CommandEnd> {
  const reason = optionValue(commandArguments, '--reason');
  const decision = {
    decision: 'deny',
    scope: scopeOf(commandArguments),
    ...(reason === undefined ? {} : { reason }),
  } as const;
  return decide(approvals, found, decision, commandArguments);
}

async function decide(
  approvals: ProjectApprovals,
  { request }: StoredApproval,
  decision: Parameters<ProjectApprovals['decide']>[1],
  commandArguments: CommandArguments,
): Promise<CommandEnd> {
  const outcome = await approvals.decide(request.approvalId, decision);
  if (outcome !== 'decided') return refused(outcome);
  const word = decision.decision === 'allow' ? 'allowed' : 'denied';
  return result(
    { approval_id: request.approvalId, decision: word, scope: decision.scope },
    commandArguments,
    () => `${word}: ${request.approvalId}\n`,
  );
}

function scopeOf(commandArguments: CommandArguments): (typeof APPROVAL_SCOPES)[number] {
  return APPROVAL_SCOPES.find((scope) => scope === optionValue(commandArguments, '--scope')) ?? 'once';
}

const WORDS: Readonly<Record<Exclude<DecisionOutcome, 'decided'> | 'ambiguous', string>> = {
  already: 'somebody decided it before',
  unknown: 'no question of the project has this id; svc approvals lists those that are open',
  expired: 'its run waits for it no longer',
  ambiguous: 'several questions begin so; write more of the id',
};

function refused(why: string): CommandEnd {
  const hint = Object.entries(WORDS).find(([word]) => word === why)?.[1] ?? why;
  return { kind: 'failed', diagnostic: diagnostic('invalid_arguments'), hint };
}

function shownQuestion({ request, decision, isExpired }: StoredApproval, columns: number): string {
  const leftMs = Date.parse(request.expiresAt) - Date.now();
  const state = decision === null ? (isExpired ? 'expired' : 'open') : decision.decision;
  return (
    questionText(request, { index: 1, of: 1, leftMs, columns }) +
    `  ${request.approvalId}: ${state}\narguments:\n${allArguments(request)}program:\n${programText(request)}`
  );
}

/** Prints each question once, as it comes, until it is stopped. */
async function watch(
  approvals: ProjectApprovals,
  commandArguments: CommandArguments,
  { signal, json }: CommandContext,
): Promise<CommandEnd> {
  const shownIds = new Set<string>();
  const isJson = json || commandArguments.options.has('--json') || !process.stdout.isTTY;
  while (!signal.aborted) {
    for (const row of await approvals.open()) {
      const { approvalId } = row.request;
      if (shownIds.has(approvalId)) continue;
      shownIds.add(approvalId);
      process.stdout.write(isJson ? `${JSON.stringify(approvalFacts(row))}\n` : approvalsTable([row], Date.now()));
    }
    await wait(WATCH_MS, undefined, { signal }).catch(() => undefined);
  }
  return { kind: 'conversed', outcome: { outcome: 'succeeded' } };
}

function result(
  plain: object,
  commandArguments: CommandArguments,
  text: (columns: number | null) => string,
): CommandEnd {
  const value = jsonFromPlain(plain);
  if (value === undefined) throw new TypeError('facts of questions are plain data');
  return {
    kind: 'result',
    value,
    text: null,
    ...(commandArguments.options.has('--json') ? {} : { terminalText: ({ width }) => text(width) }),
  };
}
