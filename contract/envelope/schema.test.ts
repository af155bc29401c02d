import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { CATALOGUE, DIAGNOSTIC_CODES, type DiagnosticCode } from '../diagnostics/catalogue.ts';
import { diagnostic, fixedSource, logicalSource, providerSubject, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { wholeMatch } from '../diagnostics/grammar.ts';
import { isFixedSourceKind } from '../diagnostics/vocabulary.ts';
import { commandFailure, commandSuccess, isUnclassified, modelUncataloged, runFailure, runSuccess } from './build.ts';
import { DOCS_PAGES } from './docs-pages.ts';
import { finishedError, finishedOk, incomplete, notStarted } from './execution.ts';
import { EXAMPLE_LISTS, INIT_LISTS } from '../init-lists.ts';
import { HELP_TOPICS, type HelpResult } from './results.ts';
import { ENVELOPE_SCHEMA_ID, envelopeSchema } from './schema.ts';
import { isClassifiedCode } from './schema/diagnostics.ts';
import { envelopeText } from './text.ts';
import { RESULT_COMMANDS, type Envelope } from './types.ts';
import { emptyEvaluationMemory, emptyUsage } from './testing/empty-usage.ts';

const REFERENCE = 'cmd-00000000000000000000000000';
const HELP: readonly HelpResult[] = HELP_TOPICS.map((topic) => ({
  topic,
  usage: [`svc ${topic}`],
  options: [],
  notices: [],
}));
const SCHEMA = envelopeSchema(HELP);
// A tuple may be followed by more items of one kind, which strictTuples takes for a mistake.
const validate = new Ajv2020({ strict: true, strictTuples: false }).compile(SCHEMA);

function expectValid(envelope: Envelope): void {
  const parsed: unknown = JSON.parse(envelopeText(envelope));
  expect(validate(parsed), JSON.stringify(validate.errors?.slice(0, 3))).to.equal(true);
}

const sealed = {
  usage: emptyUsage({ remainingMs: 0, totalTokens: 5, costMicrousd: 7 }),
  evaluationMemory: emptyEvaluationMemory(),
};
const none = { trace: 'not_requested', inspection: 'not_requested', result: 'not_requested' } as const;

/** Every alternative of source and subject that the catalogue allows, with every provider activity. */
function* allDiagnostics(code: DiagnosticCode): Generator<Diagnostic> {
  const { sources, subjects, phases, providerActivity } = CATALOGUE[code];
  for (const phase of phases) {
    for (const rule of sources) {
      const source =
        rule === null ? null : isFixedSourceKind(rule) ? fixedSource(rule) : logicalSource(rule, 'a/b.clj');
      for (const subjectRule of subjects) {
        const occurrence = subjectRule?.occurrence === 'null' ? null : ({ destination: 'workflow', index: 3 } as const);
        const subject = subjectRule === null ? null : providerSubject('tools', subjectRule.operation, occurrence);
        for (const active of providerActivity === 'any' ? [true, false] : [providerActivity]) {
          yield diagnostic(code, { phase, source, subject, providerActivity: active });
        }
      }
    }
  }
}

describe('the envelope schema', () => {
  it('has its published name and closes every object it describes', () => {
    expect(SCHEMA['$id']).to.equal(ENVELOPE_SCHEMA_ID);
    const open: string[] = [];
    const visit = (node: unknown, at: string): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('required' in node && !('additionalProperties' in node && node.additionalProperties === false)) open.push(at);
      for (const [key, member] of Object.entries(node))
        if (key !== 'enum' && key !== 'const') visit(member, `${at}/${key}`);
    };
    visit(SCHEMA, '');
    expect(open).to.deep.equal([]);
  });

  it('refers to definitions that exist, and uses each', () => {
    const text = JSON.stringify(SCHEMA);
    const used = new Set([...text.matchAll(/"#\/\$defs\/([a-z0-9_]+)"/g)].map(([, name]) => name));
    expect([...used]).to.have.members(Object.keys(SCHEMA['$defs'] ?? {}));
  });

  it('accepts every diagnostic the builder can make, in every envelope that may carry it', () => {
    for (const code of DIAGNOSTIC_CODES) {
      for (const error of allDiagnostics(code)) {
        for (const command of [...RESULT_COMMANDS, 'unknown'] as const)
          expectValid(commandFailure(command, REFERENCE, error));
        const execution =
          isUnclassified(error) && code !== 'internal_error'
            ? notStarted()
            : incomplete({ usage: null, evaluationMemory: null });
        const shared = {
          runReference: REFERENCE,
          error,
          secondaryErrors: [],
          warnings: [],
          artifactState: none,
          execution,
        };
        if (isUnclassified(error) || isClassifiedCode(code) || code === 'limit_capacity_invalid') {
          expectValid(runFailure({ ...shared, artifactClass: 'normal' }));
          expectValid(runFailure({ ...shared, artifactClass: 'private' }));
        }
      }
    }
  });

  it('accepts executions of every state', () => {
    const error = diagnostic('evaluation_failed', {
      source: fixedSource('runtime'),
      span: { start_byte: 1, end_byte: 1 },
    });
    const lastEvaluationError = { kind: 'arithmetic_error', message: 'division by zero' } as const;
    for (const execution of [
      notStarted(),
      incomplete({ ...sealed, lastEvaluationError }),
      finishedOk(sealed),
      finishedError(error, { ...sealed, lastEvaluationError }),
    ]) {
      for (const artifactClass of ['normal', 'private'] as const) {
        expectValid(
          runFailure({
            runReference: REFERENCE,
            error,
            secondaryErrors: [error],
            warnings: [modelUncataloged('writer', 'openai:x')],
            artifactClass,
            artifactState: none,
            execution,
          }),
        );
      }
    }
  });

  it('accepts successful runs', () => {
    const shared = { runReference: REFERENCE, warnings: [], execution: finishedOk(sealed) };
    const value = new Map([['integer', 12_345_678_901_234_567_890n]]);
    expectValid(runSuccess({ ...shared, artifactClass: 'normal', artifactState: none, value }));
    expectValid(runSuccess({ ...shared, artifactClass: 'private', artifactState: { ...none, result: 'written' } }));
  });

  it('accepts fixed results: help, init, the docs index', () => {
    for (const help of HELP) expectValid(commandSuccess('help', REFERENCE, help));
    for (const created of Object.values(INIT_LISTS)) expectValid(commandSuccess('init', REFERENCE, { created }));
    expect(EXAMPLE_LISTS['decision-refund-triage']).to.equal(EXAMPLE_LISTS['llm-replay']);
    expectValid(
      commandSuccess('docs', REFERENCE, { pages: DOCS_PAGES.map((name) => ({ name, title: 'T', bytes: 1 })) }),
    );
  });

  it('needs the help results', () => {
    expect(() => envelopeSchema([])).to.throw(TypeError);
  });

  it('bounds what a classified message may be', () => {
    for (const code of DIAGNOSTIC_CODES.filter(isClassifiedCode)) {
      for (const { pattern } of CATALOGUE[code].message.forms) {
        expect(wholeMatch(pattern).test(`${CATALOGUE[code].message.generic} /home/me/secret`), code).to.equal(false);
      }
    }
  });
});
