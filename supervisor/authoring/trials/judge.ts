import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import type { PreparedApplication, Supervisor } from '../../service/embedding/types.ts';
import type { EvaluateProgram, ProgramVerdict } from './expectations.ts';
import { readValue } from './read-value.ts';

const MANIFEST = {
  version: 1,
  workflow: { components: [{ id: 'expectation', path: 'expectation.clj' }], entry: 'expectation/judge' },
  missions: {},
  input: { value: {} },
} as const;
const VERDICT = 'verdict';

/** The program is on lines of its own, so that a comment at its end comments nothing else out. */
function sourceOf(program: string): string {
  return [
    '(ns expectation)',
    '(def check',
    program,
    ')',
    `(defn judge [input] {"${VERDICT}" (check (get input "result") (get input "run"))})`,
    '',
  ].join('\n');
}

const encoder = new TextEncoder();

/** Compiles `expect.program`; rejects with `PreparationError`. Who has compiled it before is given the same. */
export async function prepareProgram(supervisor: Supervisor, program: string): Promise<PreparedApplication> {
  return supervisor.prepare({
    kind: 'memory',
    files: new Map([
      ['svc.json', encoder.encode(JSON.stringify(MANIFEST))],
      ['expectation.clj', encoder.encode(sourceOf(program))],
    ]),
  });
}

/** Evaluates programs of expectations as applications of their own, in the sandbox, with no capability. */
export function programEvaluator(
  supervisor: Supervisor,
  programs: ReadonlyMap<string, PreparedApplication>,
): EvaluateProgram {
  return async (program, input): Promise<ProgramVerdict> => {
    const application = programs.get(program);
    if (application === undefined) throw new Error('programs are compiled before any case is run');
    return evaluate(supervisor, application, input);
  };
}

async function evaluate(
  supervisor: Supervisor,
  application: PreparedApplication,
  input: JsonObject,
): Promise<ProgramVerdict> {
  const end = await supervisor.run(application, { input: encoder.encode(canonicalJson(input)) }).result;
  if (end.kind === 'refused') return { ok: false, problem: `the program was not evaluated: ${end.code}` };
  const { envelope, valueText } = end;
  if (envelope.status === 'error')
    return { ok: false, problem: `the program failed: ${envelope.error.code}: ${envelope.error.message}` };
  const value = valueText === null ? null : readValue(valueText);
  const verdict = value !== null && isJsonObject(value) ? value.get(VERDICT) : undefined;
  return { ok: true, value: verdict ?? null };
}
