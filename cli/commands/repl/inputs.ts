import { resolve } from 'node:path';
import { visibleText } from '../../../contract/visible-text.ts';
import { optionValue } from '../../declaration/argument-values.ts';
import type { CommandArguments } from '../../declaration/types.ts';
import type { CommandContext } from '../command.ts';
import { readSource, readSourceFile, type SourceReading } from './source.ts';
import type { ReplStreams } from './streams.ts';

/** One text to evaluate. */
export interface Input {
  readonly kind: 'eval' | 'load' | 'script' | 'stdin';
  readonly read: () => Promise<SourceReading>;
  /** Shown before a place in it. */
  readonly name: string;
  /** Setup files are evaluated for what they define. */
  readonly showsValue: boolean;
}

export const SOURCE_MESSAGES: Readonly<
  Record<Extract<SourceReading, { ok: false }>['code'], (bytes: number) => string>
> = {
  source_unavailable: () => 'the source cannot be read',
  source_limit_exceeded: (bytes) => `the source is larger than ${bytes} bytes`,
  malformed_source: () => 'the source is not valid UTF-8',
};

export function setupInputs(
  commandArguments: CommandArguments,
  context: CommandContext,
  sourceBytes: number,
): readonly Input[] {
  const path = optionValue(commandArguments, '--load');
  return path === undefined ? [] : [fileInput('load', path, context, sourceBytes)];
}

/** What is evaluated in addition to the setup; null is the line loop (cli.md §11, "Input"). */
export function requestedInputs(
  commandArguments: CommandArguments,
  context: CommandContext,
  { streams, sourceBytes }: { readonly streams: ReplStreams; readonly sourceBytes: number },
): readonly Input[] | null {
  const expressions = commandArguments.options.get('--eval');
  if (expressions !== undefined) {
    return expressions.map((text) => ({
      kind: 'eval',
      read: async () => ({ ok: true, text }),
      name: '-e',
      showsValue: true,
    }));
  }
  const [script] = commandArguments.positionals;
  if (script === undefined) return null;
  if (script !== '-') return [fileInput('script', script, context, sourceBytes)];
  return [
    {
      kind: 'stdin',
      read: async () => readSource(streams.stdin, sourceBytes, context.signal),
      name: '-',
      showsValue: true,
    },
  ];
}

function fileInput(
  kind: 'load' | 'script',
  path: string,
  { workingDirectory, signal }: CommandContext,
  sourceBytes: number,
): Input {
  const read = async (): Promise<SourceReading> => readSourceFile(resolve(workingDirectory, path), sourceBytes, signal);
  return { kind, read, name: visibleText(path), showsValue: kind === 'script' };
}
