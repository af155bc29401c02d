import { UNCLASSIFIED_PHASES, classifiedDiagnostic, generalDiagnostic, phaseOf } from './diagnostics.ts';
import {
  anything,
  both,
  closed,
  either,
  emptyList,
  is,
  like,
  list,
  member,
  name,
  nothing,
  text,
  type Check,
  type Report,
} from './shape.ts';
import { finishedError, finishedOk, forClass, incomplete, notStarted } from './usage.ts';

/** Run envelopes (interface.md §1.2.9; runtime.md §3). */

export const RUN_REFERENCE = /^cmd-[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;

const warning = closed({
  code: is('model_uncataloged'),
  message: is(
    'the configured model is not an exact catalog entry; pricing, limits, token estimation, and capability detection may be incomplete',
  ),
  provider: name,
  model: either(nothing, text(1, 256)),
});
export const warnings = list(warning, 128);

export function head(command: string, status: string): Readonly<Record<string, Check>> {
  return { schema_version: is(5), command: is(command), status: is(status), run_ref: like(RUN_REFERENCE) };
}

function states(all: readonly string[], result: readonly string[] = all): Check {
  return closed({ trace: is(...all), inspection: is(...all), result: is(...result) });
}

const SUCCESS = ['not_requested', 'written'];
const UNPUBLISHED = ['not_requested', 'not_written'];
const FAILED = ['not_requested', 'not_written', 'written', 'failed'];

function success(value: unknown, report: Report): void {
  const isPrivate = member(value, 'artifact_class') === 'private';
  const resultClass = isPrivate ? 'private' : 'normal';
  closed({
    ...head('run', 'ok'),
    result: closed({ result_class: is(resultClass) }, isPrivate ? {} : { value: anything }),
    secondary_errors: emptyList,
    warnings,
    artifact_state: isPrivate ? states(SUCCESS, ['written']) : states(SUCCESS),
    artifact_class: is(resultClass),
    execution: finishedOk,
  })(value, '', report);
}

function failure(value: unknown, report: Report, parts: Readonly<Record<string, Check>>): void {
  closed({ ...head('run', 'error'), warnings, ...parts })(value, '', report);
}

const inert: Check = (error, at, found) => {
  if (!UNCLASSIFIED_PHASES.includes(String(member(error, 'phase')))) found.push(`${at}: this phase classifies a run`);
  if (!UNCLASSIFIED_PHASES.includes(phaseOf(String(member(error, 'code')))))
    found.push(`${at}: this code classifies a run`);
  if (member(error, 'provider_activity') !== false) found.push(`${at}: provider activity classifies a run`);
  if (member(error, 'code') === 'limit_capacity_invalid')
    found.push(`${at}: a capacity failure is found after classification`);
};

function unclassified(value: unknown, report: Report): void {
  failure(value, report, {
    error: both(generalDiagnostic, inert),
    secondary_errors: emptyList,
    artifact_state: states(UNPUBLISHED),
    artifact_class: is('unclassified'),
    execution: notStarted,
  });
}

const isApplication: Check = (error, at, found) => {
  if (member(error, 'phase') !== 'application') found.push(`${at}: a capacity failure is of phase application`);
};

function capacity(value: unknown, report: Report): void {
  failure(value, report, {
    error: both(generalDiagnostic, isApplication),
    secondary_errors: emptyList,
    artifact_state: states(UNPUBLISHED),
    artifact_class: is('normal', 'private'),
    execution: forClass(member(value, 'artifact_class'), either(notStarted, incomplete)),
  });
}

const RECOVERY = [
  'trace_publication_failed',
  'inspection_publication_failed',
  'result_publication_failed',
  'destination_collision',
];
const UNCERTAIN = ['result_publication_failed'];

function classified(value: unknown, report: Report): void {
  failure(value, report, {
    error: classifiedDiagnostic,
    secondary_errors: list(classifiedDiagnostic, 6),
    artifact_state: states(FAILED, [...FAILED, 'recovery_written', 'finalization_uncertain']),
    artifact_class: is('normal', 'private'),
    execution: forClass(member(value, 'artifact_class'), either(notStarted, incomplete, finishedOk, finishedError)),
  });
  const error = member(value, 'error');
  const secondary = member(value, 'secondary_errors');
  const all: readonly unknown[] = [error, ...(Array.isArray(secondary) ? secondary : [])];
  const explained = (codes: readonly string[]): boolean =>
    all.some((one) => member(one, 'phase') === 'publication' && codes.includes(String(member(one, 'code'))));
  const result = member(member(value, 'artifact_state'), 'result');
  if (result === 'recovery_written' && !explained(RECOVERY))
    report.push('/artifact_state/result: recovered without its diagnostic');
  if (result === 'finalization_uncertain' && !explained(UNCERTAIN))
    report.push('/artifact_state/result: uncertain without its diagnostic');
  const unbegun = member(member(value, 'execution'), 'state') === 'not_started';
  if (unbegun && member(error, 'phase') === 'internal' && member(error, 'provider_activity') === false) {
    report.push('/artifact_class: an internal failure before anything began leaves a run unclassified');
  }
}

export function checkRun(value: unknown, report: Report): void {
  if (member(value, 'status') === 'ok') success(value, report);
  else if (member(value, 'artifact_class') === 'unclassified') unclassified(value, report);
  else if (member(member(value, 'error'), 'code') === 'limit_capacity_invalid') capacity(value, report);
  else classified(value, report);
}
