import { PLAIN, text, textOr, type CatalogueEntry, type MessageGrammar } from '../entry.ts';
import {
  CONFLICTING_ARGUMENTS,
  CONFLICTING_ARGUMENTS_PATTERNS,
  INVALID_ARGUMENTS,
  INVALID_ARGUMENTS_PATTERNS,
} from '../messages/arguments.ts';
import { OFFERED_EXAMPLE_NAMES } from '../../init-lists.ts';
import type { DiagnosticCode } from '../codes.ts';

function row(message: MessageGrammar): CatalogueEntry {
  return { ...PLAIN, phases: ['arguments'], exit: 2, message };
}

/** runtime.md §13 "arguments", cli.md §2. */
export const ARGUMENTS = {
  invalid_command: row(text('the command is unknown')),
  invalid_arguments: row(textOr(INVALID_ARGUMENTS, ...INVALID_ARGUMENTS_PATTERNS)),
  conflicting_arguments: row(textOr(CONFLICTING_ARGUMENTS, ...CONFLICTING_ARGUMENTS_PATTERNS)),
  project_host_undeclared: row(text('the project declares no host; declare one or give --host-config')),
  envelope_destination_exists: row(text('the --envelope destination already exists; remove it or choose another')),
  docs_page_unknown: row(text('the documentation page is unknown; svc docs lists all pages')),
  example_unknown: row(text(`the example is unknown; known examples: ${OFFERED_EXAMPLE_NAMES.join(', ')}`)),
} as const satisfies Partial<Record<DiagnosticCode, CatalogueEntry>>;
