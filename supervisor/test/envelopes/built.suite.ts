import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { CATALOGUE, DIAGNOSTIC_CODES, type DiagnosticCode } from '../../../contract/diagnostics/catalogue.ts';
import {
  diagnostic,
  fixedSource,
  logicalSource,
  providerSubject,
  type Diagnostic,
  type Source,
  type Subject,
} from '../../../contract/diagnostics/diagnostic.ts';
import { isFixedSourceKind } from '../../../contract/diagnostics/vocabulary.ts';
import { commandFailure, isUnclassified, runFailure } from '../../../contract/envelope/build.ts';
import {
  finishedError,
  finishedOk,
  incomplete,
  notStarted,
  type ExecutionRecord,
} from '../../../contract/envelope/execution.ts';
import { envelopeSchema } from '../../../contract/envelope/schema.ts';
import { envelopeText } from '../../../contract/envelope/text.ts';
import type { Envelope } from '../../../contract/envelope/types.ts';
import { emptyEvaluationMemory, emptyUsage } from '../../../contract/envelope/testing/empty-usage.ts';
import type { Fields, Plain } from './builders/parts.ts';
import { validEnvelopes } from './builders/variants.ts';
import { checkEnvelope } from '../../../conformance/envelopes/checker/check-envelope.ts';

const REFERENCE = 'cmd-0123456789abcdefghjkmnpqrs';
const HELP = { topic: 'root', usage: ['svc'], options: [], notices: [] } as const;
const validate = new Ajv2020({ strict: true, strictTuples: false }).compile(envelopeSchema([HELP]));

function expectChecked(envelope: Envelope): void {
  const parsed: unknown = JSON.parse(envelopeText(envelope));
  expect(checkEnvelope(parsed), JSON.stringify(parsed)).to.deep.equal([]);
}

function sourcesOf(code: DiagnosticCode): readonly (Source | null)[] {
  return CATALOGUE[code].sources.map((rule) => {
    if (rule === null) return null;
    return isFixedSourceKind(rule) ? fixedSource(rule) : logicalSource(rule, 'schemas/result.json');
  });
}

function subjectsOf(code: DiagnosticCode): readonly (Subject | null)[] {
  return CATALOGUE[code].subjects.flatMap((rule) => {
    if (rule === null) return [null];
    const named = providerSubject('tools', rule.operation, { destination: 'mission', index: 1 });
    const unnamed = providerSubject('tools', rule.operation, null);
    return rule.occurrence === 'either' ? [named, unnamed] : [rule.occurrence === 'object' ? named : unnamed];
  });
}

/** All that the builder makes of a code, but for messages with facts. */
function* built(code: DiagnosticCode): Generator<Diagnostic> {
  const { phases, providerActivity, path, span } = CATALOGUE[code];
  for (const phase of phases) {
    for (const source of sourcesOf(code)) {
      for (const subject of subjectsOf(code)) {
        for (const active of providerActivity === 'any' ? [true, false] : [providerActivity]) {
          const facts = { phase, source, subject, providerActivity: active } as const;
          yield diagnostic(code, facts);
          if (path === 'allowed') yield diagnostic(code, { ...facts, path: '/limits/*' });
          if (span === 'with_source' && source !== null)
            yield diagnostic(code, { ...facts, span: { start_byte: 3, end_byte: 3 } });
        }
      }
    }
  }
}

const sealed = {
  usage: emptyUsage({ remainingMs: 7, totalTokens: 1, costMicrousd: 1 }),
  evaluationMemory: emptyEvaluationMemory(),
};
const NONE = { trace: 'not_requested', inspection: 'not_requested', result: 'not_requested' } as const;

function executionsOf(error: Diagnostic): readonly ExecutionRecord[] {
  if (error.code === 'limit_capacity_invalid') return [notStarted(), incomplete({ ...sealed })];
  if (isUnclassified(error) && error.code !== 'internal_error') return [notStarted()];
  const ended = error.phase === 'execution' ? [finishedError(error, sealed)] : [finishedOk(sealed)];
  return [notStarted(), incomplete({ usage: null, evaluationMemory: null }), ...ended];
}

describe('what the builders make', () => {
  it('passes the independent checker, for every code in every shape', () => {
    for (const code of DIAGNOSTIC_CODES) {
      for (const error of built(code)) {
        expectChecked(commandFailure('doctor', REFERENCE, error));
        for (const execution of executionsOf(error)) {
          for (const artifactClass of ['normal', 'private'] as const) {
            expectChecked(
              runFailure({
                runReference: REFERENCE,
                error,
                secondaryErrors: [],
                warnings: [],
                artifactClass,
                artifactState: NONE,
                execution,
              }),
            );
          }
        }
      }
    }
  });
});

function isList(part: Plain): part is readonly Plain[] {
  return Array.isArray(part);
}

function isFields(part: Plain): part is Fields {
  return part !== null && typeof part === 'object' && !isList(part);
}

/** A valid envelope with one part, chosen by a path of steps, replaced. */
function replaced(part: Plain, steps: readonly number[], replacement: Plain): Plain {
  const [step, ...rest] = steps;
  if (step === undefined || part === null || typeof part !== 'object') return replacement;
  if (isList(part)) {
    const index = step % Math.max(part.length, 1);
    const item = part[index];
    return item === undefined ? replacement : part.with(index, replaced(item, rest, replacement));
  }
  const members = Object.entries(part);
  const chosen = members[step % Math.max(members.length, 1)];
  if (chosen === undefined) return replacement;
  const [key, acquired] = chosen;
  // Texts that are not printed are ours: the schema knows them, the checker does not.
  const isText = key === 'message' && typeof replacement === 'string' && replacement !== '';
  return isText ? part : { ...part, [key]: replaced(acquired, rest, replacement) };
}

const WORDS: readonly Plain[] = [
  'ok',
  'error',
  'run',
  'doctor',
  'normal',
  'private',
  'unclassified',
  'written',
  'not_written',
  'failed',
  'recovery_written',
  'finalization_uncertain',
  'not_started',
  'incomplete',
  'finished',
  'available',
  'unavailable',
  'pass',
  'skipped',
  'workflow_failed',
  'execution',
  'publication',
  'internal',
  'tools',
  '/a',
  null,
  true,
  false,
  0,
  1,
  -1,
  5,
  0.5,
  128,
  9_007_199_254_740_991,
  '',
  [],
  {},
  [null],
];

describe('the schema and the checker', () => {
  const fixtures = [...validEnvelopes()].map(({ value }) => value);

  it('judge alike envelopes with any one part exchanged', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...fixtures),
        fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...WORDS),
        (envelope, steps, word) => {
          const changed = replaced(envelope, steps, word);
          const violations = checkEnvelope(changed);
          expect(validate(changed), `${JSON.stringify(changed)}: ${violations.join('; ')}`).to.equal(
            violations.length === 0,
          );
        },
      ),
      { numRuns: 4000 },
    );
  });

  it('judge alike envelopes with a part of another', () => {
    const parts = fixtures.filter(isFields).flatMap((fixture) => Object.entries(fixture));
    fc.assert(
      fc.property(
        fc.constantFrom(...fixtures.filter(isFields)),
        fc.constantFrom(...parts),
        fc.constantFrom(...parts),
        (envelope, first, second) => {
          const changed = { ...envelope, [first[0]]: first[1], [second[0]]: second[1] };
          const violations = checkEnvelope(changed);
          expect(validate(changed), `${JSON.stringify(changed)}: ${violations.join('; ')}`).to.equal(
            violations.length === 0,
          );
        },
      ),
      { numRuns: 4000 },
    );
  });
});
