import type { ApprovalRequest } from '../../contract/approval.ts';
import { visibleText } from '../../contract/visible-text.ts';
import type { RunApprovals } from '../../supervisor/api/run.ts';
import type { GivenArguments } from '../declaration/types.ts';
import type { Progress } from '../progress/progress.ts';
import type { OpenProgressStream } from '../progress/stream.ts';
import { openControllingTerminal } from './controlling-terminal.ts';
import { TerminalAsker } from './terminal-asker.ts';

/** How `svc run` asks for a person's yes (approvals.md §5). `close` is called when the run is over. */
export function openApprovals(
  given: GivenArguments,
  { progressStream }: { readonly progressStream: OpenProgressStream },
  progress: Pick<Progress, 'hold'> | null,
): { readonly run: RunApprovals; readonly close: () => void } {
  const stream = progressStream();
  if (given.options.has('--approve-writes')) {
    stream.write('approvals: every call that would be asked about is allowed (--approve-writes)\n');
    return { run: { asker: null, allowsAll: true }, close: () => undefined };
  }
  const told = new Set<string>();
  const asker = new TerminalAsker({
    open: () => (stream.isTerminal || given.options.has('--ask') ? openControllingTerminal() : null),
    hold: progress?.hold ?? (() => () => undefined),
    now: () => Date.now(),
    refused: ({ tool }: ApprovalRequest) => {
      if (told.has(tool)) return;
      told.add(tool);
      stream.write(
        `approval: ${visibleText(tool)} was refused: nobody can be asked here (run in a terminal, --approve-writes, or approval in svc-host.json)\n`,
      );
    },
  });
  return {
    run: { asker: { ask: (request, signal) => asker.ask(request, signal) }, allowsAll: false },
    close: () => asker.close(),
  };
}
