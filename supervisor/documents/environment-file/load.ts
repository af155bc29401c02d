import { diagnostic, type DiagnosticCode } from '../../../contract/diagnostics/diagnostic.ts';
import { explanationOf } from '../../../contract/diagnostics/explanation.ts';
import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import { createDocumentReader } from '../document-reader.ts';
import type { FileSystem } from '../file-system.ts';
import type { ReadFault } from '../safe-file.ts';
import { readDocument, type DocumentName } from '../target.ts';
import { parseEnvironmentFile, type EnvironmentValues } from './parse.ts';

/** documents.md §1. */
export const ENVIRONMENT_FILE_BYTES = 1_000_000;

const CODES: Readonly<Record<ReadFault, DiagnosticCode>> = {
  missing: 'environment_file_not_found',
  irregular: 'environment_file_not_regular',
  unusable: 'environment_file_unreadable',
  escape: 'environment_file_unreadable',
};

const READABLE = {
  named: 'name a file that you may read, and that is reached without a link',
  below: 'name a file below the folder of the project that you may read',
} as const;
const REMEDIES: Readonly<Record<ReadFault, Readonly<Record<DocumentName['kind'], string>>>> = {
  missing: {
    named: 'check the name: --env-file is looked for in the working directory',
    below: 'make the file, or correct host.env_file of the project: it is looked for in the folder of the project',
  },
  irregular: { named: 'name a regular file', below: 'name a regular file in host.env_file of the project' },
  unusable: READABLE,
  escape: READABLE,
};

/** As the command or the project wrote it; the parser of the command line made paths absolute. */
function shownName(name: DocumentName, workingDirectory: string): string {
  if (name.kind === 'below') return name.reference;
  const below = `${workingDirectory}/`;
  return name.path.startsWith(below) ? name.path.slice(below.length) : name.path;
}

/**
 * Reads the one file that a command or its project names, with the refusals of interface.md §2.5 in their order
 * (providers.md §4).
 */
export async function loadEnvironmentFile(
  fileSystem: FileSystem,
  workingDirectory: string,
  name: DocumentName,
): Promise<Outcome<EnvironmentValues>> {
  const shown = shownName(name, workingDirectory);
  // Secrets are no document of the application: what it read is not looked at, and what is read here not kept.
  const reader = createDocumentReader(fileSystem, workingDirectory);
  const read = await readDocument(reader, name, ENVIRONMENT_FILE_BYTES);
  if (!read.ok)
    return failure(diagnostic(CODES[read.fault]), {
      faults: explanationOf({
        problem: `${shown} ${read.fault === 'missing' ? 'does not exist' : 'cannot be read'}`,
        remedy: REMEDIES[read.fault][name.kind],
      }),
    });
  const { bytes } = read.file;
  if (bytes.length > ENVIRONMENT_FILE_BYTES) return failure(diagnostic('environment_file_too_large'));
  const text = decoded(bytes);
  if (text === null)
    return failure(diagnostic('environment_file_invalid_utf8'), {
      faults: explanationOf({
        place: { file: shown, line: lineOfFault(bytes), column: 1, within: null, excerpt: null },
        remedy: 'save it as UTF-8',
      }),
    });
  const values = parseEnvironmentFile(text);
  if (typeof values !== 'number') return success(values);
  // Nothing of the line is shown: it may hold a secret.
  return failure(diagnostic('environment_file_invalid'), {
    faults: explanationOf({
      place: { file: shown, line: values, column: 1, within: null, excerpt: null },
      remedy: 'each line is NAME=VALUE, empty, or a comment after #',
    }),
  });
}

/** The first line that is no UTF-8. No character has a line end within it. */
function lineOfFault(bytes: Uint8Array): number {
  let start = 0;
  for (let line = 1; ; line += 1) {
    const end = bytes.indexOf(LINE_FEED, start);
    if (end === -1 || decoded(bytes.subarray(start, end)) === null) return line;
    start = end + 1;
  }
}

const LINE_FEED = 0x0a;

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
