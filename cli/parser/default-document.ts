import { DEFAULT_DOCUMENTS } from '../declaration/default-document.ts';
import type { CommandDeclaration, DefaultDocumentName } from '../declaration/types.ts';
import type { Scan } from './scan.ts';

/** What the parser may ask of the machine about a document that nobody named. */
export interface DefaultDocumentFacts {
  /** Whether the working directory has a file of this name. */
  readonly isThere: (name: DefaultDocumentName) => boolean;
  /** Whether somebody sits before both streams. */
  readonly isTerminal: () => boolean;
}

export interface CompletedScan {
  readonly scan: Scan;
  /** The name that was filled in; null where there was nothing to fill in, or nothing to fill it with. */
  readonly assumed: DefaultDocumentName | null;
}

/** Puts the document of the working directory where a command asks for one and is given none (first-day.md §1). */
export function fillDefaultDocument(
  { defaultDocument }: CommandDeclaration,
  scan: Scan,
  facts: DefaultDocumentFacts | undefined,
): CompletedScan {
  const nothing = { scan, assumed: null };
  if (defaultDocument === undefined || facts === undefined || scan.options.has('--help')) return nothing;
  const isTerminal = facts.isTerminal();
  // A command that needs none asks for no file.
  if (DEFAULT_DOCUMENTS.every((name) => defaultDocument(scan, { name, isTerminal }) === null)) return nothing;
  const name = DEFAULT_DOCUMENTS.find(facts.isThere);
  const operand = name === undefined ? null : defaultDocument(scan, { name, isTerminal });
  if (name === undefined || operand === null) return nothing;
  return {
    scan:
      operand === 'argument'
        ? { ...scan, positionals: [name, ...scan.positionals] }
        : { ...scan, options: new Map([...scan.options, [operand, [name]]]) },
    assumed: name,
  };
}
