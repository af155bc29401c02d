import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { commandFailure, commandSuccess } from '../../../contract/envelope/build.ts';
import type { CommandFailure, CommandSuccess } from '../../../contract/envelope/types.ts';
import { NO_ADVICE, type Advice } from '../../../contract/outcome.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import { writeJudgedCandidate } from './candidate.ts';
import type { MaterializeTask, MaterializeTools } from './request.ts';
import { writeInstalledSource } from './source-out.ts';
import type { DocumentOptions } from '../../run/named-documents.ts';
import { publicationTools } from '../../evidence/publication/published-files.ts';

/** What `svc materialize` is asked (cli.md §10). */
export interface MaterializeOptions extends Omit<DocumentOptions, 'override' | 'hostConfig' | 'custom'> {
  readonly runRef: RunReference;
  /** The mission of the component; null for the workflow. */
  readonly mission: string | null;
  readonly component: string;
  readonly task: MaterializeTask;
}

/** What became of it: always an envelope, also where a step threw. */
export interface MaterializeReport {
  readonly envelope: CommandSuccess<'materialize'> | CommandFailure<'materialize'>;
  readonly advice: Advice;
  /** What a step threw, for a log; null unless there is a bug. */
  readonly unexpected: unknown;
}

/**
 * Writes the installed source of a component, or a candidate for it that passed the gate. Contacts nothing and never
 * throws.
 */
export async function materialize(options: MaterializeOptions): Promise<MaterializeReport> {
  const { task, runRef } = options;
  try {
    const tools = toolsOf(options);
    const done = await (task.kind === 'source-out'
      ? writeInstalledSource(tools, task.path)
      : writeJudgedCandidate(tools, task));
    if (done.ok)
      return { envelope: commandSuccess('materialize', runRef, done.value), advice: NO_ADVICE, unexpected: null };
    return {
      envelope: commandFailure('materialize', runRef, done.diagnostic),
      advice: done.advice ?? NO_ADVICE,
      unexpected: null,
    };
  } catch (error) {
    return {
      envelope: commandFailure('materialize', runRef, diagnostic('internal_error', { cause: 'unexpected_exception' })),
      advice: NO_ADVICE,
      unexpected: error,
    };
  }
}

function toolsOf(options: MaterializeOptions): MaterializeTools {
  const { mission, component, documents, workingDirectory } = options;
  return {
    mission,
    component,
    options: { ...options, override: null, hostConfig: null },
    reader: createDocumentReader(documents, workingDirectory),
    publication: publicationTools,
  };
}
