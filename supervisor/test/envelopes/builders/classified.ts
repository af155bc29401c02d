import { EXECUTION_ROWS, PRINTED_ROWS } from '../../../../conformance/envelopes/checker/printed.ts';
import { OCCURRENCE, RUNTIME, diagnostic, subject, type Fields, type Plain } from './parts.ts';

/** Every classified diagnostic of interface.md §2.5 in each of its allowed shapes, and near misses. */

export interface Fixture {
  readonly name: string;
  readonly value: Plain;
}

const SPAN: Fields = { start_byte: 0, end_byte: 12 };
const OCCURRENCES: Readonly<Record<string, readonly Plain[]>> = {
  object: [OCCURRENCE, { destination: 'workflow', index: 0 }],
  null: [null],
  either: [null, OCCURRENCE],
};

function subjectsOf(words: string): readonly Plain[] {
  if (words === '-') return [null];
  return words.split(' ').flatMap((pair) => {
    const [operation = '', rule = ''] = pair.split(':');
    return (OCCURRENCES[rule] ?? []).map((occurrence) => subject(operation, occurrence));
  });
}

function* printed(): Generator<Fixture> {
  for (const [code, phase, retryable, activity, words, message] of PRINTED_ROWS) {
    for (const known of subjectsOf(words)) {
      for (const active of activity === 'any' ? [false, true] : [activity]) {
        yield {
          name: code,
          value: diagnostic(phase, code, message, { retryable, provider_activity: active, subject: known }),
        };
      }
    }
  }
}

/** Forms A and B of one execution text. */
function* forms(
  code: string,
  retryable: boolean,
  message: string,
  allowed: 'both' | 'none' | 'runtime' = 'both',
): Generator<Fixture> {
  const base = { retryable, provider_activity: true };
  if (allowed !== 'runtime') yield { name: `${code}, form A`, value: diagnostic('execution', code, message, base) };
  if (allowed === 'none') return;
  yield { name: `${code}, form B`, value: diagnostic('execution', code, message, { ...base, source: RUNTIME }) };
  yield {
    name: `${code}, form B with span`,
    value: diagnostic('execution', code, message, { ...base, source: RUNTIME, span: SPAN }),
  };
}

function acquisition(message: string): Plain {
  const known = { provider_activity: true, subject: subject('acquisition', OCCURRENCE) };
  return diagnostic('provider_acquisition', 'provider_tool_missing', message, known);
}

function requirement(message: string): Plain {
  return diagnostic('provider_acquisition', 'capability_requirement_missing', message);
}

const turns = (count: string): string =>
  `agent turn limit ${count} was exceeded; raise max_turns for this agent.core/run call, or reduce the work per turn`;
const evaluations = (limit: string): string =>
  `subordinate_evaluations limit ${limit} was exceeded; raise the manifest or host ceiling, or reduce total subordinate evaluations or agent turns`;
const LIMIT = 'runtime_limit_exceeded';
const HASHED = `no replay fixture matches this request (request_hash: sha256:${'c4'.repeat(32)})`;

export function* classifiedDiagnostics(): Generator<Fixture> {
  yield* printed();
  for (const [code, retryable, message] of EXECUTION_ROWS) yield* forms(code, retryable, message);
  for (const toolName of [
    'find_order',
    'x'.repeat(128),
    'say \\"hi\\"'.replace(' ', '-'),
    'Ünïcode',
    '\\\\'.repeat(128),
  ]) {
    yield {
      name: 'provider_tool_missing, named',
      value: acquisition(`the installed endpoint does not expose declared tool "${toolName}"`),
    };
  }
  yield {
    name: 'capability_requirement_missing, one',
    value: requirement('Missing capability requirement: orders.find'),
  };
  for (const names of [['a', 'b'], Array.from('abcdefgh'), Array.from('abcdefgh', (letter) => letter.repeat(128))]) {
    yield {
      name: `capability_requirement_missing, ${String(names.length)}`,
      value: requirement(`Missing capability requirements: ${names.join(', ')}`),
    };
  }
  yield* forms(LIMIT, false, 'a runtime limit was exceeded');
  for (const count of ['1', '9', '10', '99', '100', '119', '128']) yield* forms(LIMIT, false, turns(count), 'none');
  for (const limit of [
    '1',
    '30000',
    '999999999',
    '1999999999',
    '2499999999',
    '2589999999',
    '2591999999',
    '2592000000',
  ]) {
    yield* forms(LIMIT, false, evaluations(limit), 'runtime');
    yield* forms(LIMIT, false, `parallel_timeout_ms limit ${limit} ms was exceeded during compilation`, 'runtime');
    yield* forms(LIMIT, false, `workflow_timeout_ms limit ${limit} ms was exceeded during execution`, 'runtime');
  }
  yield* forms('replay_fixture_missing', false, 'no replay fixture matches the workflow request');
  yield* forms('replay_fixture_missing', false, HASHED, 'runtime');
}

function* wrongTexts(): Generator<Fixture> {
  const missing = 'the installed endpoint does not expose declared tool';
  yield { name: 'a tool name with a space', value: acquisition(`${missing} "two words"`) };
  yield { name: 'a tool name with a bare quote', value: acquisition(`${missing} "a"b"`) };
  yield { name: 'a tool name with a bare backslash', value: acquisition(`${missing} "a\\b"`) };
  yield { name: 'an empty tool name', value: acquisition(`${missing} ""`) };
  yield { name: 'a tool name of 129 characters', value: acquisition(`${missing} "${'x'.repeat(129)}"`) };
  yield { name: 'a tool name with a control character', value: acquisition(`${missing} "a\u0007"`) };
  yield {
    name: 'a tool text with an article',
    value: acquisition('the installed endpoint does not expose a declared tool "a"'),
  };
  yield { name: 'plural for one requirement', value: requirement('Missing capability requirements: a') };
  yield { name: 'singular for two requirements', value: requirement('Missing capability requirement: a, b') };
  yield {
    name: 'nine requirements',
    value: requirement(`Missing capability requirements: ${Array.from('abcdefghi').join(', ')}`),
  };
  yield {
    name: 'a requirement of 129 characters',
    value: requirement(`Missing capability requirement: ${'a'.repeat(129)}`),
  };
  yield { name: 'a requirement with a quote', value: requirement('Missing capability requirement: "a"') };
  yield { name: 'a text with a line feed behind it', value: requirement('Missing capability requirement: a\n') };
  for (const count of ['0', '129', '01', '-1', '1.0']) {
    yield { name: `turn limit ${count}`, value: diagnostic('execution', LIMIT, turns(count)) };
  }
  for (const limit of ['0', '007', '2592000001', '2600000000', '10000000000']) {
    yield {
      name: `evaluation limit ${limit}`,
      value: diagnostic('execution', LIMIT, evaluations(limit), { source: RUNTIME }),
    };
  }
  yield {
    name: 'the turn text beside a source',
    value: diagnostic('execution', LIMIT, turns('4'), { source: RUNTIME }),
  };
  yield { name: 'the evaluation text without a source', value: diagnostic('execution', LIMIT, evaluations('4')) };
  yield { name: 'a hash without a source', value: diagnostic('execution', 'replay_fixture_missing', HASHED) };
  yield {
    name: 'a short hash',
    value: diagnostic('execution', 'replay_fixture_missing', HASHED.replace('c4', ''), { source: RUNTIME }),
  };
}

/** The same diagnostic with one member it may not have. */
function* spoilt({ name, value }: Fixture): Generator<Fixture> {
  if (value === null || typeof value !== 'object' || !('message' in value) || typeof value['message'] !== 'string')
    return;
  const wrong: Readonly<Record<string, Fields>> = {
    'another text': { message: `${value['message']} ;` },
    'an empty text': { message: '' },
    'another phase': { phase: value['phase'] === 'execution' ? 'local_preflight' : 'execution' },
    'the opposite of retryable': { retryable: value['retryable'] !== true },
    'a note': { notes: ['a note'] },
    'a path': { path: '/limits' },
    'a document as source': { source: { kind: 'application', name: 'svc.json' } },
    'the runtime under another name': { source: { kind: 'runtime', name: 'svc-runtime.json' } },
    'a cause': { cause: 'permission' },
    'an unknown cause': { cause: 'bad_luck' },
    'a subject of another operation': { subject: subject('cleanup', null) },
    'an occurrence out of range': { subject: subject('acquisition', { destination: 'mission', index: 32 }) },
  };
  for (const [how, members] of Object.entries(wrong))
    yield { name: `${name} with ${how}`, value: { ...value, ...members } };
  if (value['source'] === null) yield { name: `${name} with a span without source`, value: { ...value, span: SPAN } };
}

export function* misclassifiedDiagnostics(): Generator<Fixture> {
  const seen = new Set<string>();
  for (const fixture of classifiedDiagnostics()) {
    if (seen.has(fixture.name)) continue;
    seen.add(fixture.name);
    yield* spoilt(fixture);
  }
  for (const [code, phase, retryable, activity, words, message] of PRINTED_ROWS) {
    if (activity === 'any') continue;
    const [known = null] = subjectsOf(words);
    const members = { retryable, provider_activity: !activity, subject: known };
    yield { name: `${code} with the opposite of provider activity`, value: diagnostic(phase, code, message, members) };
  }
  yield* wrongTexts();
}
