import { basename, resolve } from 'node:path';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { FailureExplanation } from '../../contract/diagnostics/explanation.ts';
import { visibleText } from '../../contract/visible-text.ts';
import type { TargetDocument } from '../../supervisor/api/history.ts';
import { optionValue } from '../declaration/argument-values.ts';
import type { CommandArguments } from '../declaration/types.ts';
import { nearestFile } from './nearest-file.ts';
import { DOCUMENT_HINTS } from './document-hints.ts';

/** Files that a command line names, as a person may recognise them; null where it names none. */
export interface NamedFiles {
  readonly document: string | null;
  readonly host: string | null;
  /** Null for the standard input. */
  readonly input: string | null;
  readonly override: string | null;
  /** Another file of the folder of one of these that may have been meant; absent: nobody looks. */
  readonly near?: (name: string) => string | null;
}

export const NO_NAMED_FILES: NamedFiles = { document: null, host: null, input: null, override: null };

/** Characters of a name; the rest of a longer one helps nobody. */
const NAME_LENGTH_MAX = 256;

/** The names as they were given: paths below the working directory were made absolute by the parser. */
export function namedFiles({ positionals, options }: CommandArguments, workingDirectory: string): NamedFiles {
  const below = `${workingDirectory === '/' ? '' : workingDirectory}/`;
  const shown = (path: string | undefined): string | null => {
    if (path === undefined || path === '-') return null;
    return visibleText(path.startsWith(below) ? path.slice(below.length) : path).slice(0, NAME_LENGTH_MAX);
  };
  const input = { positionals, options };
  const near = (name: string): string | null => {
    const target = nearestFile(resolve(workingDirectory, name));
    return target === null ? null : visibleText(target).slice(0, NAME_LENGTH_MAX);
  };
  return {
    document: shown(positionals[0] ?? optionValue(input, '--project') ?? optionValue(input, '--manifest')),
    host: shown(optionValue(input, '--host-config')),
    input: shown(optionValue(input, '--input') ?? optionValue(input, '--private-input')),
    override: shown(optionValue(input, '--component-override-descriptor')),
    near,
  };
}

/**
 * The file of a diagnostic as a person may open it (first-day.md §3): where the fault was found, else as the command
 * line names it. Null where neither is known.
 */
export function sourceName(
  { source }: Diagnostic,
  faults: FailureExplanation | null,
  { document, host, input, override }: NamedFiles,
): string | null {
  if (source === null) return null;
  const place = faults?.faults[0]?.place ?? null;
  if (place !== null && place.file === source.name && place.opens !== undefined) return place.opens;
  switch (source.kind) {
    case 'project':
      return document;
    case 'host':
      return host;
    case 'external_input':
      return input;
    case 'component_override':
      return override;
    default:
      return null;
  }
}

/** What is said of a document that could not be read, with its name where the command line has it. */
export function renderDocumentHint(targetDocument: TargetDocument, named: NamedFiles): string {
  const name = nameOf(targetDocument, named);
  const [role = '', ...advice] = DOCUMENT_HINTS[targetDocument].split(/(?=[;,])/);
  if (name === null) return `${role}${advice.join('')}`;
  const near = named.near?.(name) ?? null;
  return `${role} (${name}${near === null || near === basename(name) ? '' : `; did you mean ${near}?`})${advice.join('')}`;
}

function nameOf(targetDocument: TargetDocument, { document, host, input }: NamedFiles): string | null {
  switch (targetDocument) {
    case 'named_document':
    case 'unreadable_document':
      return document;
    case 'named_host':
      return host;
    case 'named_input':
      return input;
    case 'project_application':
    case 'unreadable_application':
    case 'project_host':
    case 'streamed_input':
      return null;
  }
}
