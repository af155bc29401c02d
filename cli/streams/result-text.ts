import type { HelpResult, VersionResult } from '../../contract/envelope/results.ts';
import type { CommandSuccess, DoctorFailure, ResultCommand, RunSuccess } from '../../contract/envelope/types.ts';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { visibleJson } from '../../contract/visible-text.ts';
import { commandHelp, type CommandHelp } from '../declaration/help-results.ts';
import { COMMANDS } from '../declaration/table.ts';
import { docsText } from './docs-text.ts';
import { helpText } from './help-text.ts';
import type { Styling } from './styling.ts';

/** What a private run says instead of its value (cli.md §4). */
const PRIVATE_NOTICE = '{"artifact_class":"private","status":"ok"}\n';

export type EnvelopeWithResult =
  | { readonly [Command in ResultCommand]: CommandSuccess<Command> }[ResultCommand]
  | RunSuccess
  | DoctorFailure;

/** What stdout carries of an envelope that has a result (cli.md §4), with its last line feed. */
export function renderResult(envelope: EnvelopeWithResult, styling: Styling): string {
  switch (envelope.command) {
    case 'run':
      return envelope.result.result_class === 'private'
        ? PRIVATE_NOTICE
        : `${jsonFor(styling, canonicalJson(envelope.result.value ?? null))}\n`;
    case 'help':
      return helpText(helpForPeople(envelope.result), envelope.result.topic, styling);
    case 'version':
      return `${versionLine(envelope.result)}\n`;
    case 'docs':
      return docsText(envelope.result, styling);
    case 'init':
      return `created ${envelope.result.created.join(', ')}\n`;
    default:
      return `${jsonFor(styling, canonicalResult(envelope.result))}\n`;
  }
}

/** People read about options too that interface.md does not print (cli.md §6). */
function helpForPeople(result: HelpResult): CommandHelp {
  return result.topic === 'root' ? result : commandHelp(COMMANDS[result.topic]);
}

/**
 * JSON for a stream. A program that reads it gets the canonical text, byte by byte; for a terminal what cannot be seen
 * is written with the escapes of JSON, so that it is still the same value.
 */
export function jsonFor({ width }: Pick<Styling, 'width'>, json: string): string {
  return width === null ? json : visibleJson(json);
}

function canonicalResult(result: unknown): string {
  const value = jsonFromPlain(result);
  if (value === undefined) throw new TypeError('a result holds JSON values only');
  return canonicalJson(value);
}

/** The line of `svc version` (cli.md §4). */
function versionLine({ version, source_revision: revision, source_dirty: dirty }: VersionResult): string {
  return `${version} (${revision.slice(0, 8)}, ${dirty ? 'dirty' : 'clean'})`;
}
