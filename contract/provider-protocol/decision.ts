import { isJsonFloat, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/**
 * The one capability that reaches every selected decision model; `model` of its argument names an alias (providers.md
 * §11).
 */
export const DECISION_CAPABILITY = 'decision-request';

/** Questions of one request, options of one choice, and characters of a name of either, at most. */
export const DECISION_BOUNDS = { questions: 64, options: 64, nameCharacters: 64 } as const;

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** One question of a decision; `criteria` of a choice says of each option when it is the one. */
export type DecisionQuestion =
  | { readonly type: 'boolean' | 'score'; readonly instructions: string; readonly criteria: string | null }
  | { readonly type: 'choice'; readonly instructions: string; readonly criteria: ReadonlyMap<string, string> };

/** A place in a request and the rule that it breaks; never the value there. */
export interface DecisionViolation {
  readonly path: string;
  readonly rule:
    | 'type'
    | 'required'
    | 'additionalProperties'
    | 'minProperties'
    | 'maxProperties'
    | 'propertyNames'
    | 'minLength'
    | 'enum';
}

/** A request that was read, or the first rule that it breaks. */
export type DecisionReading =
  | { readonly ok: true; readonly state: JsonValue; readonly questions: ReadonlyMap<string, DecisionQuestion> }
  | { readonly ok: false; readonly violations: readonly [DecisionViolation, ...DecisionViolation[]] };

/**
 * Reads `{state, questions: {name: {type, instructions, criteria?}}}`, without `model`. `state` is any JSON value. A
 * choice has criteria: its 2 to 64 options, each with a text; of other questions they are one text.
 */
export function readDecision(request: JsonObject): DecisionReading {
  if ([...request.keys()].some((key) => key !== 'state' && key !== 'questions'))
    return broken('', 'additionalProperties');
  const state = request.get('state');
  if (state === undefined) return broken('/state', 'required');
  const input = request.get('questions');
  if (input === undefined) return broken('/questions', 'required');
  if (!isJsonObject(input)) return broken('/questions', 'type');
  const fault = countFault('/questions', input, 1, DECISION_BOUNDS.questions);
  if (fault !== null) return { ok: false, violations: [fault] };
  const questions = new Map<string, DecisionQuestion>();
  for (const [name, value] of input) {
    const question = readQuestion(value);
    if ('rule' in question) return broken(`/questions/*${question.path}`, question.rule);
    questions.set(name, question);
  }
  return { ok: true, state, questions };
}

const MEMBERS: ReadonlySet<string> = new Set(['type', 'instructions', 'criteria']);

function readQuestion(value: JsonValue): DecisionQuestion | DecisionViolation {
  if (!isJsonObject(value)) return { path: '', rule: 'type' };
  if ([...value.keys()].some((key) => !MEMBERS.has(key))) return { path: '', rule: 'additionalProperties' };
  const type = value.get('type');
  if (type !== 'boolean' && type !== 'choice' && type !== 'score')
    return { path: '/type', rule: type === undefined ? 'required' : 'enum' };
  const instructions = value.get('instructions');
  const unwritten = textFault('/instructions', instructions);
  if (unwritten !== null || typeof instructions !== 'string')
    return unwritten ?? { path: '/instructions', rule: 'type' };
  const criteria = value.get('criteria');
  if (type === 'choice') {
    const options = readOptions(criteria);
    return 'rule' in options ? options : { type, instructions, criteria: options };
  }
  if (criteria === undefined || criteria === null) return { type, instructions, criteria: null };
  const fault = textFault('/criteria', criteria);
  return fault !== null || typeof criteria !== 'string'
    ? (fault ?? { path: '/criteria', rule: 'type' })
    : { type, instructions, criteria };
}

function readOptions(criteria: JsonValue | undefined): ReadonlyMap<string, string> | DecisionViolation {
  if (!isJsonObject(criteria)) return { path: '/criteria', rule: criteria === undefined ? 'required' : 'type' };
  const fault = countFault('/criteria', criteria, 2, DECISION_BOUNDS.options);
  if (fault !== null) return fault;
  const options = new Map<string, string>();
  for (const [option, text] of criteria) {
    const unwritten = textFault('/criteria/*', text);
    if (unwritten !== null || typeof text !== 'string') return unwritten ?? { path: '/criteria/*', rule: 'type' };
    options.set(option, text);
  }
  return options;
}

function countFault(path: string, object: JsonObject, least: number, most: number): DecisionViolation | null {
  if (object.size < least) return { path, rule: 'minProperties' };
  if (object.size > most) return { path, rule: 'maxProperties' };
  return [...object.keys()].every((name) => NAME.test(name)) ? null : { path, rule: 'propertyNames' };
}

function textFault(path: string, value: JsonValue | undefined): DecisionViolation | null {
  if (typeof value !== 'string') return { path, rule: value === undefined ? 'required' : 'type' };
  return value.trim() === '' ? { path, rule: 'minLength' } : null;
}

function broken(path: string, rule: DecisionViolation['rule']): DecisionReading {
  return { ok: false, violations: [{ path, rule }] };
}

/**
 * Whether there is an answer to each question and to nothing else: of a choice one of its options, else a number from 0
 * to 1.
 */
export function areAnswers(questions: ReadonlyMap<string, DecisionQuestion>, answers: JsonValue | undefined): boolean {
  return (
    isJsonObject(answers) &&
    answers.size === questions.size &&
    [...questions].every(([name, question]) => isAnswer(question, answers.get(name)))
  );
}

function isAnswer(question: DecisionQuestion, answer: JsonValue | undefined): boolean {
  if (question.type === 'choice') return typeof answer === 'string' && question.criteria.has(answer);
  const value = isJsonFloat(answer) ? answer.value : answer;
  return typeof value === 'number' && value >= 0 && value <= 1;
}
