import { randomFillSync } from 'node:crypto';
import { expect } from 'chai';
import { diagnostic, fixedSource, providerSubject, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { explanationOf } from '../../contract/diagnostics/explanation.ts';
import { commandFailure, modelUncataloged, runFailure, runSuccess } from '../../contract/envelope/build.ts';
import { finishedError, finishedOk } from '../../contract/envelope/execution.ts';
import type { Envelope } from '../../contract/envelope/types.ts';
import { emptyEvaluationMemory, emptyUsage } from '../../contract/envelope/testing/empty-usage.ts';
import { JsonFloat } from '../../contract/json/value.ts';
import { newRunReference } from '../../contract/run-reference.ts';
import { reportEnvelope, type Beside } from '../ending/command-end.ts';
import { render } from './render.ts';
import { PLAIN_STYLING } from './styling.ts';

const runReference = newRunReference(randomFillSync);
const sealed = {
  usage: emptyUsage({ remainingMs: 0, totalTokens: null, costMicrousd: null }),
  evaluationMemory: emptyEvaluationMemory(),
};
const none = { trace: 'not_requested', inspection: 'not_requested', result: 'not_requested' } as const;

function rendered(envelope: Envelope, json = false, colour = false) {
  const styling = { ...PLAIN_STYLING, colour };
  return render({
    end: reportEnvelope(envelope),
    runRef: runReference,
    name: 'run',
    json,
    styling: { stdout: styling, stderr: styling },
  });
}

describe('the streams of a run (cli.md §4)', () => {
  const success = runSuccess({
    runReference,
    warnings: [modelUncataloged('model-a', null)],
    execution: finishedOk(sealed),
    artifactClass: 'normal',
    artifactState: none,
    value: new Map<string, JsonFloat | bigint>([
      ['b', new JsonFloat(1)],
      ['a', 12345678901234567890n],
    ]),
  });

  it('prints the value as canonical JSON, and warnings on stderr', () => {
    expect(rendered(success).stdout).to.equal('{"a":12345678901234567890,"b":1.0}\n');
    expect(rendered(success).stderr).to.match(/^warning: model_uncataloged: [^\n]+ \(provider model-a\)\n$/);
  });

  it('prints the whole envelope under --json, with the class of every number', () => {
    expect(rendered(success, true).stdout).to.match(
      /^\{"artifact_class":"normal",.*"value":\{"a":12345678901234567890,"b":1\.0\}.*\}\n$/,
    );
  });

  it('prints notes before the warnings, whatever the outcome', () => {
    const styling = { stdout: PLAIN_STYLING, stderr: PLAIN_STYLING };
    const { stderr } = render({
      end: reportEnvelope(success, { notes: ['note: one'] }),
      runRef: runReference,
      name: 'run',
      json: true,
      styling,
    });
    expect(stderr).to.match(/^note: one\nwarning: [^\n]+\n$/);
  });

  it('prints no value of a private run', () => {
    const envelope = runSuccess({
      runReference,
      warnings: [],
      execution: finishedOk(sealed),
      artifactClass: 'private',
      artifactState: { ...none, result: 'written' },
    });
    expect(rendered(envelope).stdout).to.equal('{"artifact_class":"private","status":"ok"}\n');
  });

  it('prints nothing of a failure on stdout, and the evaluation error as a second line', () => {
    const error = diagnostic('evaluation_failed');
    const envelope = runFailure({
      runReference,
      error,
      warnings: [],
      secondaryErrors: [],
      artifactClass: 'normal',
      artifactState: none,
      execution: finishedError(error, {
        ...sealed,
        lastEvaluationError: { kind: 'type_error', message: 'no\nnumber' },
      }),
    });
    expect(rendered(envelope).stdout).to.equal('');
    expect(rendered(envelope).stderr).to.match(
      /^error: execution\/evaluation_failed: [^\n]+\nevaluation: type_error: no number\n$/,
    );
    expect(rendered(envelope, false, true).stderr).to.match(/^\u001b\[31merror:\u001b\[39m /);
  });

  it('names the three ways to give a credential', () => {
    const error = diagnostic('credential_unavailable', { subject: providerSubject('m', 'credentials', null) });
    const envelope = runFailure({
      runReference,
      error,
      warnings: [],
      secondaryErrors: [],
      artifactClass: 'normal',
      artifactState: none,
      execution: { state: 'not_started' },
    });
    expect(rendered(envelope).stderr).to.match(
      /provider\/m\/credentials: .*; export the variable, name a file with --env-file, or install a file credential\n$/,
    );
  });
});

describe('a fault in a document (documents.md §14)', () => {
  const error = diagnostic('schema_violation', { path: '' });
  const place = {
    file: 'svc.json',
    opens: 'app/svc.json',
    line: 2,
    column: 3,
    within: null,
    excerpt: { text: '"worflow"', length: 9, skipped: 2 },
  };
  const faults = explanationOf({ place, problem: 'the member is unknown here', remedy: 'did you mean workflow?' });
  const stderr = (width: number | null, beside: Partial<Beside> = { faults }) =>
    render({
      end: reportEnvelope(commandFailure('validate', runReference, error), beside),
      runRef: runReference,
      name: 'validate',
      json: false,
      styling: { stdout: PLAIN_STYLING, stderr: { colour: false, width } },
    }).stderr;

  it('is placed at a terminal', () => {
    expect(stderr(80)).to.match(
      /^error: [^\n;]+\n {2}at app\/svc\.json:2:3\n {2}2 \| "worflow"\n {4}\| \^{9}\n {2}problem: [^\n]+\n {2}remedy: did you mean workflow\?\n$/,
    );
  });

  it('has its place in a pipe too, with nothing that its author wrote', () => {
    expect(stderr(null))
      .to.match(
        /^error: [^\n;]+\n {2}at app\/svc\.json:2:3\n {2}problem: the member is unknown here\n {2}remedy: did you mean workflow\?\n$/,
      )
      .and.not.to.include('worflow');
  });

  it('is in the file that the person named, whatever its published name is (first-day.md §3)', () => {
    const named = { document: 'other.json', host: '../hosts/mine.json', input: null, override: null };
    const shown = (failed: Diagnostic, known: Partial<Beside> = {}) =>
      render({
        end: reportEnvelope(commandFailure('validate', runReference, failed), known),
        named,
        runRef: runReference,
        name: 'validate',
        json: false,
        styling: { stdout: PLAIN_STYLING, stderr: PLAIN_STYLING },
      }).stderr;
    expect(shown(diagnostic('project_schema_invalid', { source: fixedSource('project'), path: '' }))).to.include(
      ' at document root in other.json (run_ref',
    );
    expect(shown(diagnostic('host_invalid', { source: fixedSource('host'), path: '' }))).to.include(
      ' in ../hosts/mine.json (run_ref',
    );
    expect(shown(error, { faults })).to.include(' in app/svc.json (run_ref');
    expect(shown(error)).to.include(' in svc.json (run_ref');
  });

  it('of one that was not read has its role, and of a failure without place the remedy of its code', () => {
    expect(stderr(null, { target: 'named_host' })).to.match(
      /; it is the document that --host-config names; check the name, and that it is a regular file that you may read\n$/,
    );
    const missing = commandFailure('validate', runReference, diagnostic('environment_file_not_found'));
    const { stderr: text } = render({
      end: reportEnvelope(missing),
      runRef: runReference,
      name: 'validate',
      json: false,
      styling: { stdout: PLAIN_STYLING, stderr: PLAIN_STYLING },
    });
    expect(text).to.match(
      /; check the name; --env-file is looked for in the working directory, env_file of a project in its folder\n$/,
    );
  });
});
