import type { ApprovalRequest } from '../../contract/approval.ts';
import type { Refused } from '../../contract/outcome.ts';
import { visibleText } from '../../contract/visible-text.ts';
import type { RunApprovals, RunOptions } from '../../supervisor/api/run.ts';
import type { GivenArguments } from '../declaration/types.ts';
import type { Progress } from '../progress/progress.ts';
import type { OpenProgressStream, ProgressStream } from '../progress/stream.ts';
import { openControllingTerminal } from './controlling-terminal.ts';
import { TerminalAsker } from './terminal-asker.ts';

export type OpenedApprovals =
  /** `close` is called when the run is over. */
  { readonly ok: true; readonly run: RunApprovals; readonly close: () => void } | Refused;

/** How `svc run` asks for a person's yes (approvals.md §5). */
export async function openApprovals(
  given: GivenArguments,
  { document, workingDirectory, documents }: Pick<RunOptions, 'document' | 'workingDirectory' | 'documents'>,
  {
    progressStream,
    progress,
  }: { readonly progressStream: OpenProgressStream; readonly progress: Pick<Progress, 'hold'> | null },
): Promise<OpenedApprovals> {
  const stream = progressStream();
  if (given.options.has('--approve-writes')) {
    stream.write('approvals: every call that would be asked about is allowed (--approve-writes)\n');
    return { ok: true, run: { asker: null, allowsAll: true }, close: () => undefined };
  }
  if (given.options.has('--wait-for-approval')) {
    // Only runs that ask for it pay for reading it.
    const { waitingApprovals } = await import('../../supervisor/api/approvals.ts');
    const opened = await waitingApprovals(
      { project: document, workingDirectory, documents, warn: (line) => stream.write(line) },
      (id, tool) =>
        stream.write(`approval: ${visibleText(tool)} waits: svc approvals approve ${id} --project ${document}\n`),
    );
    return opened.ok ? { ok: true, run: opened.approvals, close: () => undefined } : opened;
  }
  const asker = terminalAsker(stream, given.options.has('--ask'), progress);
  return {
    ok: true,
    run: { asker: { ask: (request, signal) => asker.ask(request, signal) }, allowsAll: false },
    close: () => asker.close(),
  };
}

function terminalAsker(
  stream: ProgressStream,
  isAsked: boolean,
  progress: Pick<Progress, 'hold'> | null,
): TerminalAsker {
  const reported = new Set<string>();
  return new TerminalAsker({
    open: () => (stream.isTerminal || isAsked ? openControllingTerminal() : null),
    hold: progress?.hold ?? (() => () => undefined),
    now: () => Date.now(),
    refused: ({ tool }: ApprovalRequest) => {
      if (reported.has(tool)) return;
      reported.add(tool);
      stream.write(
        `approval: ${visibleText(tool)} was refused: nobody can be asked here ` +
          '(run in a terminal, --wait-for-approval, --approve-writes, or approval in svc-host.json)\n',
      );
    },
  });
}
