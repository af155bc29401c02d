import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { diagnostic, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { CommandOutcome } from '../../contract/exit-status.ts';
import { thisMachine } from '../../supervisor/api/machine.ts';
import { visibleText } from '../../contract/visible-text.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { componentFiles, formatFile, layOut, type FormattedFile } from '../editor/format-files.ts';
import { TEXT_BYTES_MAX } from '../editor/open-documents.ts';
import { lostOutput, writeStream } from '../process/output.ts';
import { readUpTo } from '../process/read-stream.ts';
import type { Command, CommandContext } from './command.ts';

/** Without a file, the components of the first of these that is there are formatted, as other commands choose. */
const DEFAULT_DOCUMENTS = ['svc-project.json', 'svc.json'] as const;

/** cli.md §10, fmt. */
export const fmtCommand: Command = async ({ positionals, options }, context) => {
  const isCheck = options.has('--check');
  if (options.has('--stdin')) return formatInput(isCheck, context);
  const paths = positionals.length === 0 ? await ownComponents(context) : positionals;
  if (paths === null)
    return {
      kind: 'failed',
      diagnostic: diagnostic('application_not_found'),
      hint: 'name the files, or run it where svc-project.json or svc.json is',
    };
  const results: { readonly name: string; readonly result: FormattedFile }[] = [];
  const prefix = `${context.workingDirectory}/`;
  for (const path of paths) {
    if (context.signal.aborted) break;
    const name = path.startsWith(prefix) ? path.slice(prefix.length) : path;
    results.push({ name, result: await formatFile(path, !isCheck) });
  }
  const shown = results.flatMap(({ name, result }) => (result.kind === 'changed' ? [`${visibleText(name)}\n`] : []));
  const written = await writeStream(1, shown.join(''));
  if (written !== 'written') return { kind: 'conversed', outcome: lostOutput(written) };
  await writeStream(2, results.map(({ name, result }) => faultLine(name, result)).join(''));
  return {
    kind: 'conversed',
    outcome: outcomeOf(
      results.map(({ result }) => result),
      isCheck,
    ),
  };
};

/** The text of standard input, laid out on standard output; nothing of one that cannot be read. */
async function formatInput(isCheck: boolean, { standardInput, signal }: CommandContext): Promise<CommandEnd> {
  const read = await readUpTo(standardInput(), TEXT_BYTES_MAX + 1, signal);
  if (!read.ok)
    return { kind: 'failed', diagnostic: diagnostic('reference_missing'), hint: 'standard input ended early' };
  const result = layOut(read.bytes);
  const text =
    result.kind === 'changed' ? result.text : result.kind === 'same' ? Buffer.from(read.bytes).toString() : '';
  const written = isCheck ? 'written' : await writeStream(1, text);
  if (written !== 'written') return { kind: 'conversed', outcome: lostOutput(written) };
  await writeStream(2, faultLine('standard input', result));
  return { kind: 'conversed', outcome: outcomeOf([result], isCheck) };
}

function faultLine(name: string, result: FormattedFile): string {
  if (result.kind === 'unreadable') return `${visibleText(`${name}${result.where}: ${result.reason}`)}\n`;
  return result.kind === 'unwritten' ? `${visibleText(`${name}: not written: ${result.reason}`)}\n` : '';
}

/** What cannot be read counts more than what cannot be written, and that more than what is not laid out. */
function outcomeOf(results: readonly FormattedFile[], isCheck: boolean): CommandOutcome {
  const has = (kind: FormattedFile['kind']): boolean => results.some((result) => result.kind === kind);
  const failed = (error: Diagnostic): CommandOutcome => ({ outcome: 'failed', error, stop: null });
  if (has('unreadable')) return failed(diagnostic('compile_failed'));
  if (has('unwritten')) return failed(diagnostic('invalid_destination'));
  return isCheck && has('changed') ? { outcome: 'conversation_failed' } : { outcome: 'succeeded' };
}

async function ownComponents({
  workingDirectory,
  programDirectory,
  signal,
}: CommandContext): Promise<readonly string[] | null> {
  const document = DEFAULT_DOCUMENTS.map((name) => join(workingDirectory, name)).find((path) => existsSync(path));
  if (document === undefined) return null;
  return componentFiles(document, thisMachine(programDirectory), signal);
}
