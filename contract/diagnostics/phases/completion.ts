import { PLAIN, provider, text, textOr, type CatalogueEntry, type MessageGrammar } from '../entry.ts';
import { CONTRACT_VALUE_PATTERN } from '../messages/documents.ts';
import {
  COMPILER_ENDED,
  COMPILER_SILENT,
  GUEST_IMAGE_BROKEN,
  CANDIDATE_REFUSED,
  CANDIDATE_REFUSED_PATTERN,
} from '../messages/programs.ts';
import { INTERRUPTED, RESULT_LIMIT_EXCEEDED, RESULT_LIMIT_PATTERN } from '../messages/execution.ts';
import type { DiagnosticCode } from '../codes.ts';

/** The result against what it must be. */
function result(message: MessageGrammar, path: CatalogueEntry['path'] = 'never'): CatalogueEntry {
  return {
    ...PLAIN,
    phases: ['result_cleanup'],
    exit: 7,
    providerActivity: 'any',
    sources: [null, 'result_contract'],
    path,
    message,
  };
}

function cleanup(generic: string): CatalogueEntry {
  return {
    ...PLAIN,
    phases: ['result_cleanup'],
    exit: 7,
    providerActivity: true,
    subjects: [null, provider('cleanup', 'null')],
    message: text(generic),
  };
}

/** Publication of a run's files, after whatever the run did. */
function runFile(generic: string): CatalogueEntry {
  return { ...PLAIN, phases: ['publication'], exit: 7, providerActivity: 'any', message: text(generic) };
}

/** Files of commands that reach no provider. */
function file(message: MessageGrammar | string): CatalogueEntry {
  return { ...PLAIN, phases: ['publication'], exit: 7, message: typeof message === 'string' ? text(message) : message };
}

/** runtime.md §13 "result_cleanup", "publication", "internal". */
export const COMPLETION = {
  result_invalid: result(text('the result cannot be represented as JSON or does not fit its evidence')),
  result_contract_failed: result(
    textOr('the result violates its contract', CONTRACT_VALUE_PATTERN('the result')),
    'allowed',
  ),
  result_limit_exceeded: result(textOr(RESULT_LIMIT_EXCEEDED, RESULT_LIMIT_PATTERN)),
  provider_cleanup_failed: cleanup('a provider could not be released cleanly'),
  provider_cleanup_timeout: cleanup('a provider was not released in time'),
  trace_publication_failed: runFile('the trace artifact could not be published'),
  inspection_publication_failed: runFile('the inspection artifact could not be published'),
  result_publication_failed: runFile('the result artifact could not be published'),
  recovery_cleanup_failed: runFile('the recovery file of a private result could not be removed'),
  destination_collision: runFile('a file appeared at a reserved destination; it was not replaced'),
  initialization_target_exists: file('the target directory already exists; nothing is replaced'),
  initialization_parent_missing: file('the parent of the target directory does not exist'),
  initialization_parent_unusable: file('the parent of the target directory is not usable'),
  initialization_failed: file('the directory could not be created'),
  source_out_destination_exists: file('the source destination already exists; nothing is replaced'),
  source_out_parent_unusable: file('the parent of the source destination is not usable'),
  source_out_parent_missing: file('the parent of the source destination does not exist'),
  source_out_parent_unsafe: file('the parent of the source destination can be changed by others'),
  source_out_failed: file('the source could not be written'),
  source_out_cleanup_failed: file('the source was written, but its staging directory is left'),
  candidate_refused: file(textOr(CANDIDATE_REFUSED, CANDIDATE_REFUSED_PATTERN)),
  candidate_destination_exists: file('the candidate directory already exists; nothing is replaced'),
  candidate_publication_failed: file('the candidate directory could not be published'),
  invalid_candidate_destination: file('the candidate destination is not a usable directory name'),
  candidate_destination_parent_missing: file('the parent of the candidate directory does not exist'),
  candidate_destination_parent_unsafe: file('the parent of the candidate directory can be changed by others'),
  descriptor_too_large: file('the candidate descriptor exceeds 65536 bytes'),
  candidate_source_too_large: file('the candidate source exceeds 1048576 bytes'),
  unreadable_candidate_source: file('the candidate source is not a safely readable regular file of UTF-8'),
  candidate_cleanup_failed: file('the candidate directory could not be removed or its staging is left'),
  result_artifact_too_large: file('the result artifact exceeds 1048576 bytes'),
  unreadable_result_artifact: file('the result artifact is not a safely readable regular file'),
  result_pointer_invalid: file('the result pointer does not name a string in the result artifact'),
  result_artifact_invalid: file('the result artifact is not strict JSON'),
  selected_component_missing: file('the selected component is not part of the application'),
  internal_error: {
    ...PLAIN,
    phases: ['internal'],
    exit: 70,
    providerActivity: 'any',
    sources: [null, 'runtime'],
    span: 'with_source',
    message: textOr('an internal error occurred', INTERRUPTED, COMPILER_ENDED, COMPILER_SILENT, GUEST_IMAGE_BROKEN),
  },
} as const satisfies Partial<Record<DiagnosticCode, CatalogueEntry>>;
