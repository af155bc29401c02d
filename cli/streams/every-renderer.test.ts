import { randomFillSync } from 'node:crypto';
import { expect } from 'chai';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { ExplainedPlace } from '../../contract/diagnostics/explanation.ts';
import { commandSuccess, runSuccess } from '../../contract/envelope/build.ts';
import { finishedOk } from '../../contract/envelope/execution.ts';
import { emptyEvaluationMemory, emptyUsage } from '../../contract/envelope/testing/empty-usage.ts';
import type { Envelope } from '../../contract/envelope/types.ts';
import { newRunReference } from '../../contract/run-reference.ts';
import type { Explanation } from '../../supervisor/api/history.ts';
import type { FormEnd } from '../../supervisor/api/sessions.ts';
import { errorText, printsText, renderFormResult } from '../commands/repl/form-text.ts';
import { jsonVoice, clojureVoice } from '../commands/repl/profile-voice.ts';
import { reportEnvelope, type CommandEnd } from '../ending/command-end.ts';
import { agentEvent, pipedLine, terminalLine } from '../progress/lines.ts';
import { EMPTY_VIEW } from '../../supervisor/api/run.ts';
import { catalogTable } from './catalog-table.ts';
import { doctorTable } from './doctor-table.ts';
import { explanationText } from './explain-text.ts';
import { explanationResult } from './explain-result.ts';
import { interruptedLine } from './interrupted-run.ts';
import { missedLine } from './missed-request.ts';
import { modelsTable } from './models-table.ts';
import { render } from './render.ts';
import type { Styling } from './styling.ts';

/** A title of a window, a cleared screen in both forms, a turned line, a forged one. */
const HOSTILE = 'a\u001b]0;owned\u0007\u001b[2J\u009b2J\u202eb\u2066c\u2028\u007f\rerror: forged';
/** What this program itself writes to a terminal: colours. */
// eslint-disable-next-line no-control-regex
const OUR_COLOURS = /\u001b\[(?:1|2|22|31|32|33|35|36|39)m/g;
// eslint-disable-next-line no-control-regex
const ACTING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

const TERMINAL: Styling = { colour: true, width: 80 };
const runRef = newRunReference(randomFillSync);

function expectHarmless(text: string): void {
  expect(text.replaceAll(OUR_COLOURS, '')).not.to.match(ACTING);
  expect(text).not.to.match(/^error: forged/m);
}

const place: ExplainedPlace = {
  file: HOSTILE,
  opens: HOSTILE,
  line: 1,
  column: 1,
  within: HOSTILE,
  excerpt: { text: HOSTILE, length: 3 },
};
const fault = { place, callers: [place], problem: HOSTILE, data: HOSTILE, remedy: HOSTILE, candidates: [place] };
const run = runSuccess({
  runReference: runRef,
  warnings: [],
  execution: finishedOk({
    usage: emptyUsage({ remainingMs: 0, totalTokens: null, costMicrousd: null }),
    evaluationMemory: emptyEvaluationMemory(),
  }),
  artifactClass: 'normal',
  artifactState: { trace: 'not_requested', inspection: 'not_requested', result: 'not_requested' },
  value: new Map([['text', HOSTILE]]),
});
const failure = { ...diagnostic('evaluation_failed'), message: HOSTILE };
const explanation: Explanation = {
  run: {
    runRef,
    status: 'error',
    artifactClass: 'normal',
    error: failure,
    secondary: [failure],
    lastEvaluationError: { kind: HOSTILE, message: HOSTILE },
    artifacts: new Map([['trace', HOSTILE]]),
    usage: null,
  },
  place,
  course: { durationMs: 1, evaluations: 1, calls: 1, steps: [{ atMs: 1, text: HOSTILE }], omitted: 0 },
  trace: 'read',
  details: {
    error: HOSTILE,
    failureValue: HOSTILE,
    program: { evaluationId: HOSTILE, lines: [HOSTILE], omitted: 0 },
    print: HOSTILE,
    provider: { alias: HOSTILE, said: HOSTILE },
    links: [{ name: HOSTILE, state: HOSTILE }],
  },
};
const doctor = {
  checks: [
    { name: 'runtime', code: 'supported', status: 'pass' },
    { name: 'application', code: 'valid', status: 'pass' },
    { name: 'viewer', code: 'available', status: 'pass' },
  ],
  readiness: 'ready',
  provider_activity: false,
  model_aliases: [
    { alias: 'a', source: 'llm', selected: true, default: true, installation_revision: 'r1', model_selector: HOSTILE },
  ],
  usage: { llm_usage: [], llm_usage_state: 'available' },
} as const;
const beside = {
  hint: HOSTILE,
  notes: [HOSTILE],
  terminalNotes: [HOSTILE],
  faults: { faults: [fault, fault], omitted: 1 },
  inputName: HOSTILE,
};

const ends: Readonly<Record<string, CommandEnd>> = {
  'a run that succeeded': reportEnvelope(run, beside),
  'a failure with an envelope': reportEnvelope(
    {
      command: 'validate',
      error: failure,
      run_ref: runRef,
      schema_version: 5,
      secondary_errors: [],
      status: 'error',
      warnings: [],
    } satisfies Envelope,
    beside,
  ),
  'a failure without envelope': { kind: 'failed', diagnostic: failure, hint: HOSTILE, faults: beside.faults },
  'an explanation': {
    kind: 'result',
    value: explanationResult(explanation),
    text: (styling) => explanationText(explanation, null, styling),
  },
  'a result without envelope': { kind: 'result', value: new Map([[HOSTILE, HOSTILE]]), text: null },
  'a doctor': reportEnvelope(
    commandSuccess('version', runRef, { version: '1.0.0', source_revision: '0'.repeat(40), source_dirty: false }),
    { terminalText: (styling) => doctorTable(doctor, new Map([['runtime', HOSTILE]]), styling) },
  ),
};

describe('nothing that programs, models, servers or files wrote acts on a terminal (first-day.md §6)', () => {
  for (const [what, end] of Object.entries(ends)) {
    for (const json of [false, true]) {
      it(`${what}${json ? ', as JSON' : ''}`, () => {
        const { stdout, stderr } = render({
          end,
          runRef,
          name: 'explain',
          json,
          styling: { stdout: TERMINAL, stderr: TERMINAL },
        });
        expectHarmless(stdout);
        expectHarmless(stderr);
        if (json) expect(JSON.parse(stdout)).to.have.property('run_ref', runRef);
      });
    }
  }

  it('a program that reads the value of a run gets it byte by byte', () => {
    const plain: Styling = { colour: false, width: null };
    const { stdout } = render({
      end: reportEnvelope(run),
      runRef,
      name: 'run',
      json: false,
      styling: { stdout: plain, stderr: plain },
    });
    expect(JSON.parse(stdout)).to.deep.equal({ text: HOSTILE });
    expect(stdout).to.include('\u202e');
    const shown = render({
      end: reportEnvelope(run),
      runRef,
      name: 'run',
      json: false,
      styling: { stdout: TERMINAL, stderr: plain },
    }).stdout;
    expect(JSON.parse(shown)).to.deep.equal({ text: HOSTILE });
  });

  it('the tables of catalog and models', () => {
    expectHarmless(
      catalogTable(
        {
          provider: 'p',
          tool_count: 1,
          pagination: { pages: 1, truncated: false },
          tools: [
            { name: HOSTILE, description: HOSTILE, input_schema: new Map([['properties', new Map([[HOSTILE, 'x']])]]) },
          ],
        },
        { configPin: null, mapping: new Map([[HOSTILE, HOSTILE]]) },
        TERMINAL,
      ),
    );
    const installation = {
      alias: 'a',
      source: 'llm',
      installation_revision: HOSTILE,
      accepts_data: [],
      data_class: 'normal',
      destinations: [],
    } as const;
    expectHarmless(
      modelsTable(
        { installations: [installation] },
        new Map([['a', { selector: HOSTILE, route: null, ownPrices: null }]]),
        TERMINAL,
      ),
    );
  });

  it('notes of a run', () => {
    const notes = [
      interruptedLine({ runRef, state: 'sealed', resultHash: 'sha256:0', value: 'unknown' }),
      missedLine({ requestHash: 'sha256:0', nearestHash: HOSTILE, place: HOSTILE, asked: HOSTILE, recorded: HOSTILE }),
    ];
    for (const note of notes) expectHarmless(note);
  });

  it('progress', () => {
    const agent = { turn: 1, maxTurns: null, kind: HOSTILE };
    expectHarmless(pipedLine(0, ...((event) => [event[0], [event[1]]] as const)(agentEvent(HOSTILE, agent))));
    expectHarmless(terminalLine({ view: { ...EMPTY_VIEW, stage: HOSTILE }, elapsed: 0, started: null }, 80));
  });

  describe('in a session', () => {
    const value: FormEnd = {
      kind: 'value',
      text: HOSTILE,
      prints: [HOSTILE],
      code: null,
      recovered: null,
      ended: false,
      outcome: null,
    };
    const failed: FormEnd = {
      kind: 'failed',
      error: { kind: 'error', message: HOSTILE, place: null },
      prints: [HOSTILE],
      code: null,
      recovered: null,
      ended: false,
      outcome: null,
    };

    it('values, prints and exceptions alike', () => {
      for (const hasColour of [false, true]) expectHarmless(renderFormResult(value, { hasColour, isRaw: false }));
      expectHarmless(printsText(value));
      expectHarmless(errorText({ kind: 'error', message: HOSTILE, place: null }, null));
    });

    it('as they are for who asked', () => {
      expect(renderFormResult(value, { hasColour: false, isRaw: true })).to.equal(`${HOSTILE}\n${HOSTILE}\n`);
      expect(
        errorText({ kind: 'error', message: HOSTILE, place: null }, null, { hasColour: false, isRaw: true }),
      ).to.include(HOSTILE);
    });

    it('over captured runs', async () => {
      const written: string[] = [];
      const output = {
        print: async (text: string) => void written.push(text),
        complain: async (text: string) => void written.push(text),
        failure: () => null,
      };
      const setting = { index: 1, kind: 'eval', showsValue: true, name: null, previewCharacters: 2048 } as const;
      const voice = clojureVoice(output, runRef);
      await voice.evaluated({ ...setting, end: value });
      await voice.evaluated({ ...setting, end: failed });
      await voice.failed({ category: 'setup', code: null, message: HOSTILE, hint: HOSTILE });
      for (const text of written) expectHarmless(text);
      written.length = 0;
      await jsonVoice(output, runRef).evaluated({ ...setting, end: failed });
      expect(JSON.parse(written.join(''))).to.have.nested.property('result.error.message', HOSTILE);
    });
  });
});
