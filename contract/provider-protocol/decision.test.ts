import { expect } from 'chai';
import { jsonFromPlain } from '../json/plain.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { areAnswers, readDecision } from './decision.ts';

function json(plain: unknown): JsonValue {
  const value = jsonFromPlain(plain);
  if (value === undefined) throw new TypeError('this is JSON');
  return value;
}

function objectOf(plain: unknown): JsonObject {
  const value = json(plain);
  if (!isJsonObject(value)) throw new TypeError('this is an object');
  return value;
}

const YES = { type: 'boolean', instructions: 'Is it so?' };
const some = (count: number, value: unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${String(at)}`, value]));
const questionInput = (question: unknown): unknown => ({ state: 1, questions: { q: question } });
const choice = (criteria: unknown): unknown => questionInput({ type: 'choice', instructions: 'Which?', criteria });

describe('requests and answers of decisions (providers.md §11)', () => {
  const requests: readonly (readonly [string, unknown, string])[] = [
    ['one question', questionInput(YES), 'ok'],
    ['a state of null', { state: null, questions: { q: YES } }, 'ok'],
    [
      'criteria of a score',
      questionInput({ type: 'score', instructions: 'How well?', criteria: 'the whole text' }),
      'ok',
    ],
    ['no state', { questions: { q: YES } }, '/state required'],
    ['no questions', { state: 1 }, '/questions required'],
    ['questions in a list', { state: 1, questions: [YES] }, '/questions type'],
    ['an unknown member', { state: 1, questions: { q: YES }, extra: 1 }, ' additionalProperties'],
    ['0 questions', { state: 1, questions: {} }, '/questions minProperties'],
    ['64 questions', { state: 1, questions: some(64, YES) }, 'ok'],
    ['65 questions', { state: 1, questions: some(65, YES) }, '/questions maxProperties'],
    ['a name of 64 characters', { state: 1, questions: { ['q'.repeat(64)]: YES } }, 'ok'],
    ['a name of 65 characters', { state: 1, questions: { ['q'.repeat(65)]: YES } }, '/questions propertyNames'],
    ['an empty name', { state: 1, questions: { '': YES } }, '/questions propertyNames'],
    ['a question that is a text', questionInput('yes?'), '/questions/* type'],
    ['an unknown member of a question', questionInput({ ...YES, weight: 1 }), '/questions/* additionalProperties'],
    ['no type', questionInput({ instructions: 'x' }), '/questions/*/type required'],
    ['an unknown type', questionInput({ ...YES, type: 'essay' }), '/questions/*/type enum'],
    ['no instructions', questionInput({ type: 'boolean' }), '/questions/*/instructions required'],
    ['blank instructions', questionInput({ ...YES, instructions: ' \n' }), '/questions/*/instructions minLength'],
    ['instructions that are a number', questionInput({ ...YES, instructions: 1 }), '/questions/*/instructions type'],
    [
      'criteria of a boolean in an object',
      questionInput({ ...YES, criteria: { a: 'b' } }),
      '/questions/*/criteria type',
    ],
    ['a choice without criteria', choice(undefined), '/questions/*/criteria required'],
    ['a choice of 1', choice(some(1, 'x')), '/questions/*/criteria minProperties'],
    ['a choice of 2', choice(some(2, 'x')), 'ok'],
    ['a choice of 64', choice(some(64, 'x')), 'ok'],
    ['a choice of 65', choice(some(65, 'x')), '/questions/*/criteria maxProperties'],
    ['an option that is no text', choice({ a: 'x', b: 1 }), '/questions/*/criteria/* type'],
    ['a name that objects have anyway', { state: 1, questions: { constructor: YES } }, 'ok'],
  ];
  for (const [title, request, expected] of requests) {
    it(`${title}: ${expected}`, () => {
      const read = readDecision(objectOf(JSON.parse(JSON.stringify(request))));
      expect(read.ok ? 'ok' : `${read.violations[0].path} ${read.violations[0].rule}`).to.equal(expected);
    });
  }

  const read = readDecision(
    objectOf({
      state: 1,
      questions: {
        a: YES,
        b: { type: 'score', instructions: 'x' },
        c: { type: 'choice', instructions: 'x', criteria: { red: 'r', blue: 'b' } },
      },
    }),
  );
  const answers: readonly (readonly [string, unknown, boolean])[] = [
    ['all of them', { a: 0.5, b: 1, c: 'red' }, true],
    ['the ends of the scale', { a: 0, b: 1, c: 'blue' }, true],
    ['below 0', { a: -0.001, b: 1, c: 'red' }, false],
    ['above 1', { a: 1.001, b: 1, c: 'red' }, false],
    ['true for a number', { a: true, b: 1, c: 'red' }, false],
    ['a number in a text', { a: '0.5', b: 1, c: 'red' }, false],
    ['an option that is none', { a: 0.5, b: 1, c: 'green' }, false],
    ['one that is missing', { a: 0.5, b: 1 }, false],
    ['one too many', { a: 0.5, b: 1, c: 'red', d: 1 }, false],
    ['another in the place of one', { a: 0.5, b: 1, d: 'red' }, false],
    ['a list', [0.5, 1, 'red'], false],
    ['nothing', null, false],
  ];
  for (const [title, input, expected] of answers) {
    it(`answers, ${title}: ${String(expected)}`, () => {
      if (!read.ok) throw new Error('the request is one');
      expect(areAnswers(read.questions, json(input))).to.equal(expected);
    });
  }
});
