import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { commandFailure, commandSuccess } from '../../../contract/envelope/build.ts';
import type { CommandFailure, CommandSuccess } from '../../../contract/envelope/types.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import { nodeEvidenceFiles } from '../analysis/files/evidence-files.ts';
import { writeTranscript, type TranscriptRequest } from './transcript.ts';
import { publicationTools } from '../../evidence/publication/published-files.ts';

/** What the command is asked; paths are absolute. */
export interface TranscriptOptions extends TranscriptRequest {
  /** Of the command, not of the run it reports on. */
  readonly runRef: RunReference;
}

/** How the command ended. */
export interface TranscriptReport {
  readonly envelope: CommandSuccess<'transcript'> | CommandFailure<'transcript'>;
  /** The finer reason of a refusal, for people. */
  readonly hint: string | null;
  /** What a step threw, for a log; null unless there is a bug. */
  readonly unexpected: unknown;
}

/** Rebuilds the model conversations of one run as a private document (cli.md §10, transcript). Never throws. */
export async function performTranscript(options: TranscriptOptions): Promise<TranscriptReport> {
  const { runRef, runId, output } = options;
  try {
    const end = await writeTranscript({ files: nodeEvidenceFiles, publication: publicationTools() }, options);
    if (!end.ok)
      return { envelope: commandFailure('transcript', runRef, end.diagnostic), hint: end.hint, unexpected: null };
    return {
      envelope: commandSuccess('transcript', runRef, {
        command: 'transcript',
        run_ref: runId,
        path: output,
        turns: end.turns,
      }),
      hint: null,
      unexpected: null,
    };
  } catch (error) {
    return {
      envelope: commandFailure('transcript', runRef, diagnostic('internal_error', { cause: 'unexpected_exception' })),
      hint: null,
      unexpected: error,
    };
  }
}
