import type { ApprovalRequest } from '../../contract/approval.ts';
import type { Refused } from '../../contract/outcome.ts';
import { visibleText } from '../../contract/visible-text.ts';
import type { RunApprovals, RunOptions } from '../../supervisor/api/run.ts';
import type { CommandArguments } from '../declaration/types.ts';
import type { Progress } from '../progress/progress.ts';
import type { OpenProgressStream, ProgressStream } from '../progress/stream.ts';
import { openControllingTerminal } from './controlling-terminal.ts';
import { TerminalAsker, type TerminalAskerOptions } from './terminal-asker.ts';
import type { TerminalTurns } from './terminal-turns.ts';

interface AskingApprovals {
  readonly ok: true;
  readonly run: RunApprovals;
  /** Called when the run is over. */
  readonly close: () => void;
}

/** Where people are asked, and what to do where nobody can be. */
interface AskingPlace extends Pick<TerminalAskerOptions, 'open' | 'hold'> {
  readonly remedies: string;
}

export type OpenedApprovals = AskingApprovals | Refused;

/** How `svc run` asks for a person's yes (approvals.md §5). */
export async function openApprovals(
  commandArguments: CommandArguments,
  { document, workingDirectory, documents }: Pick<RunOptions, 'document' | 'workingDirectory' | 'documents'>,
  {
    progressStream,
    progress,
  }: { readonly progressStream: OpenProgressStream; readonly progress: Pick<Progress, 'hold'> | null },
): Promise<OpenedApprovals> {
  const stream = progressStream();
  if (commandArguments.options.has('--approve-writes')) return allowingAll(stream);
  if (commandArguments.options.has('--wait-for-approval')) {
    // Only runs that ask for it pay for reading it.
    const { waitingApprovals } = await import('../../supervisor/api/approvals.ts');
    const opened = await waitingApprovals(
      { project: document, workingDirectory, documents, warn: (line) => stream.write(line) },
      (id, tool) =>
        stream.write(`approval: ${visibleText(tool)} waits: svc approvals approve ${id} --project ${document}\n`),
    );
    return opened.ok ? { ok: true, run: opened.approvals, close: () => undefined } : opened;
  }
  return askingAt(stream, commandArguments, {
    open: openControllingTerminal,
    hold: progress?.hold ?? (() => () => undefined),
    remedies: 'run in a terminal, --wait-for-approval, --approve-writes, or approval in svc-host.json',
  });
}

/** How a session of `svc repl` asks, all of its forms at one terminal. Nothing is opened before the first question. */
export function openSessionApprovals(
  commandArguments: CommandArguments,
  progressStream: OpenProgressStream,
  turns: TerminalTurns,
): AskingApprovals {
  const stream = progressStream();
  if (commandArguments.options.has('--approve-writes')) return allowingAll(stream);
  return askingAt(stream, commandArguments, {
    open: () => turns.open(),
    hold: () => turns.hold(),
    remedies: 'run in a terminal, --approve-writes, or approval in svc-host.json',
  });
}

function allowingAll(stream: ProgressStream): AskingApprovals {
  stream.write('approvals: every call that would be asked about is allowed (--approve-writes)\n');
  return { ok: true, run: { asker: null, allowsAll: true }, close: () => undefined };
}

function askingAt(stream: ProgressStream, commandArguments: CommandArguments, place: AskingPlace): AskingApprovals {
  const showsPrivate = commandArguments.options.has('--private-terminal');
  const asker = terminalAsker(stream, commandArguments.options.has('--ask'), place);
  return {
    ok: true,
    run: {
      asker: { ask: (request, signal) => asker.ask(showsPrivate ? { ...request, isPrivate: false } : request, signal) },
      allowsAll: false,
    },
    close: () => asker.close(),
  };
}

function terminalAsker(stream: ProgressStream, isAsked: boolean, { open, hold, remedies }: AskingPlace): TerminalAsker {
  const reported = new Set<string>();
  return new TerminalAsker({
    open: () => (stream.isTerminal || isAsked ? open() : null),
    hold,
    now: () => Date.now(),
    refused: ({ tool }: ApprovalRequest) => {
      if (reported.has(tool)) return;
      reported.add(tool);
      stream.write(`approval: ${visibleText(tool)} was refused: nobody can be asked here (${remedies})\n`);
    },
  });
}
