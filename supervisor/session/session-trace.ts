import { resolve } from 'node:path';
import { nodeFileSystem } from '../evidence/publication/node-file-system.ts';
import { traceFile, type AppendEnd, type TraceFileFault } from './trace-file.ts';

/** Where the events of one session go: the end of a file that other sessions may share (evidence.md §5, "append"). */
export interface SessionTrace {
  /** Appends what the session left; its end is known afterwards. */
  readonly onSealed: (lines: string) => Promise<void>;
  /** Null: nothing was to be appended so far. */
  readonly end: () => AppendEnd | null;
}

/** What to do about each refusal. */
export const TRACE_HINTS: Readonly<Record<TraceFileFault, string>> = {
  invalid_trace_destination:
    'the file is a trace, or not there yet; its name ends in .jsonl, and in .private.jsonl exactly where the application is private',
  trace_directory_missing: 'make its directory first',
  trace_destination_unavailable: 'its directory must be one that you may write to',
  trace_destination_unsafe:
    'the file must be yours alone (chmod 600), and each directory above writable by nobody else',
};

/**
 * `path`: from the working directory unless absolute. A file that cannot be appended to is refused before anything is
 * evaluated.
 */
export async function openSessionTrace(
  path: string,
  workingDirectory: string,
  isPrivate: boolean,
): Promise<SessionTrace | TraceFileFault> {
  const file = traceFile({ path: resolve(workingDirectory, path), isPrivate, fileSystem: nodeFileSystem() });
  const refusal = await file.refusal();
  if (refusal !== null) return refusal;
  let end: AppendEnd | null = null;
  return {
    onSealed: async (lines) => {
      end = await file.append(lines);
    },
    end: () => end,
  };
}
