import { exitStatus } from '../../contract/diagnostics/diagnostic.ts';
import { remedyFor } from '../../contract/diagnostics/remedies/failures.ts';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { visibleText } from '../../contract/visible-text.ts';
import type { Explanation } from '../../supervisor/api/history.ts';
import { excerptLines } from './excerpt.ts';
import { failureLine } from './failure-line.ts';
import { styled, wrapped, type Styling } from './styling.ts';

/** Columns of the words that lines begin with. */
const LABEL = 9;
const SECOND = 1000;

/**
 * How a run ended, on at most one screen of text; nothing in it can move a cursor. `project`: as the command line names
 * it; null: the one of the working directory, which other commands find too.
 */
export function explanationText(explanation: Explanation, project: string | null, styling: Styling): string {
  const { run, place } = explanation;
  const lines = [
    styled(headline(explanation), 'bold', styling),
    ...failureLines(explanation).map((line) => line.trimEnd()),
    ...(place === null
      ? []
      : [
          labelled('where', `${visibleText(place.file)}:${place.line}:${place.column}, as the file is now`),
          ...excerptLines(place, styling),
        ]),
    ...privateLines(explanation),
    ...courseLines(explanation),
    ...spentLines(run.usage),
    labelled('evidence', evidence(explanation)),
    ...nextLines(explanation, project).map((line) => labelled('next', line)),
  ];
  return lines.map((line) => `${styling.width === null ? line : wrapped(line, styling.width, LABEL + 1)}\n`).join('');
}

function labelled(label: string, text: string): string {
  return `${label.padEnd(LABEL)} ${text}`;
}

function headline({ run, course }: Explanation): string {
  const took = course?.durationMs === null || course === null ? '' : ` after ${seconds(course.durationMs)}`;
  if (run.error === null) return `${run.runRef} succeeded${took}`;
  return `${run.runRef} failed${took}: ${run.error.phase}/${run.error.code}, exit status ${exitStatus(run.error)}`;
}

function failureLines({ run }: Explanation): readonly string[] {
  if (run.error === null) return [];
  const { error, lastEvaluationError, secondary } = run;
  const line = failureLine({ diagnostic: error, runRef: run.runRef, hint: null })
    .replace(/^error: \S+: /, '')
    .replace(` (run_ref: ${run.runRef})`, '');
  const remedy = remedyFor(error);
  return [
    labelled('what', line),
    ...(lastEvaluationError === null
      ? []
      : [labelled('', `${visibleText(lastEvaluationError.kind)}: ${visibleText(lastEvaluationError.message)}`)]),
    ...(remedy === null ? [] : [labelled('remedy', remedy)]),
    ...secondary.map((also) => labelled('also', `${also.phase}/${also.code}: ${visibleText(also.message)}`)),
  ];
}

/** What is private of the run, for the person who asked for it. */
function privateLines({ details }: Explanation): readonly string[] {
  if (details === null) return [];
  const { error, failureValue, program, print, provider, links } = details;
  const chain = links
    .map(({ name, state }) => `${visibleText(name).replaceAll('_', ' ')} (${visibleText(state)})`)
    .join(', ');
  return [
    ...(error === null ? [] : [labelled('private', visibleText(error))]),
    ...(provider === null
      ? []
      : [labelled('provider', `${visibleText(provider.alias)}: ${visibleText(provider.said)}`)]),
    ...(failureValue === null ? [] : [labelled('failed', visibleText(failureValue))]),
    ...(program === null
      ? []
      : [
          labelled('program', visibleText(program.evaluationId)),
          ...program.lines.map((line) => `  | ${visibleText(line)}`.trimEnd()),
          ...(program.omitted === 0
            ? []
            : [`  | ... ${program.omitted} more ${program.omitted === 1 ? 'line' : 'lines'}`]),
        ]),
    ...(print === null ? [] : [labelled('printed', visibleText(print))]),
    ...(chain === '' ? [] : [labelled('leads to', chain)]),
  ];
}

function courseLines({ course }: Explanation): readonly string[] {
  if (course === null) return [];
  const { steps, omitted } = course;
  const more =
    omitted === 0 ? [] : [labelled('course', `${omitted} earlier ${omitted === 1 ? 'failure' : 'failures'} left out`)];
  return [
    ...more,
    ...steps.map(({ atMs, text }, index) =>
      labelled(index === 0 && omitted === 0 ? 'course' : '', `${seconds(atMs).padStart(8)}  ${visibleText(text)}`),
    ),
  ];
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / SECOND).toFixed(3)} s`;
}

function spentLines(usage: JsonObject | null): readonly string[] {
  if (usage === null) return [];
  const calls = sumOf(usage.get('capability_calls'));
  const evaluations = sumOf(usage.get('evaluations_by_mission'));
  const spend = usage.get('llm_spend');
  const parts = [
    `${calls} ${calls === 1 ? 'call' : 'calls'} of capabilities`,
    `${evaluations} ${evaluations === 1 ? 'program' : 'programs'} in missions`,
  ];
  if (isJsonObject(spend) && spend.has('input')) {
    parts.push(`${shown(spend.get('input'))} tokens asked, ${shown(spend.get('output'))} answered`);
    if (spend.has('total_cost')) parts.push(`cost ${shown(spend.get('total_cost'))}`);
  }
  return [labelled('spent', parts.join('; '))];
}

function shown(value: JsonValue | undefined): string {
  return value === undefined || value === null ? 'unknown' : visibleText(canonicalJson(value)).slice(0, 80);
}

function sumOf(counts: JsonValue | undefined): number {
  if (!isJsonObject(counts)) return 0;
  return [...counts.values()].reduce((sum: number, count) => sum + (typeof count === 'number' ? count : 0), 0);
}

function evidence({ run, trace }: Explanation): string {
  const words = {
    read: 'trace read',
    private: 'the trace is private and was not read',
    missing: 'no trace',
    unreadable: 'the trace is damaged',
  }[trace];
  return `${words}; inspection ${shownState(run.artifacts.get('inspection'))}; result ${shownState(run.artifacts.get('result'))}`;
}

function shownState(state: JsonValue | undefined): string {
  return typeof state === 'string' ? visibleText(state).replaceAll('_', ' ').slice(0, 40) : 'unknown';
}

/** What can be done with what the run left, or kept the next time. */
function nextLines({ run, trace }: Explanation, project: string | null): readonly string[] {
  const isInspected = run.artifacts.get('inspection') === 'written';
  const argument = project === null ? '' : ` ${project}`;
  const option = project === null ? '' : ` --project ${project}`;
  const lines: string[] = [];
  if (run.usage === null) return [`svc validate${argument} shows all faults of the application at once`];
  if (trace !== 'missing') lines.push(`svc viewer${argument} --run ${run.runRef} shows the run on a page`);
  if (isInspected)
    lines.push(
      `svc transcript ${run.runRef}${option} --private-unattended --private-output private/transcript.json shows what models were asked and answered, once there is a folder private`,
    );
  else if (run.error !== null)
    lines.push('run it again with --inspect run.svcins to keep each call, each program and what was printed');
  if (trace === 'missing' && run.error !== null)
    lines.push('run it in a project with artifacts.trace to keep what happened when');
  return lines;
}
