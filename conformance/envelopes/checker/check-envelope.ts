import { generalDiagnostic } from './diagnostics.ts';
import { failedReport, readyReport } from './doctor.ts';
import { RESULTS } from './results.ts';
import { checkRun, head, warnings } from './run.ts';
import { closed, emptyList, isFields, list, member, type Report } from './shape.ts';

const COMMANDS: ReadonlySet<string> = new Set([
  'help',
  'version',
  'docs',
  'init',
  'validate',
  'doctor',
  'models',
  'catalog',
  'materialize',
  'transcript',
  'unknown',
]);

function checkPlain(value: unknown, command: string, report: Report): void {
  const lists = { secondary_errors: emptyList, warnings: emptyList };
  if (member(value, 'status') === 'ok') {
    const result = command === 'doctor' ? readyReport : RESULTS[command];
    if (result === undefined) report.push(`/status: ${command} cannot succeed`);
    else closed({ ...head(command, 'ok'), result }, lists)(value, '', report);
    return;
  }
  if (command === 'doctor' && member(value, 'result') !== undefined) {
    closed({
      ...head('doctor', 'error'),
      error: generalDiagnostic,
      result: failedReport,
      secondary_errors: list(generalDiagnostic, 6),
      warnings,
    })(value, '', report);
    return;
  }
  closed({ ...head(command, 'error'), error: generalDiagnostic, ...lists })(value, '', report);
}

/**
 * All ways in which a parsed JSON value departs from the command envelope, version 5 (interface.md
 * and, where these are silent, runtime.md §3 and cli.md §3). Empty for a valid envelope. Fixed help results are not
 * known here: only their shape is checked.
 */
export function checkEnvelope(value: unknown): string[] {
  const report: Report = [];
  if (!isFields(value)) return [': not an object'];
  const command = member(value, 'command');
  if (command === 'run') checkRun(value, report);
  else if (typeof command === 'string' && COMMANDS.has(command)) checkPlain(value, command, report);
  else report.push('/command: none of the envelope commands');
  return report;
}
