import type { Evaluation, FormProblem } from './answers.ts';

/** What to do about each kind of failure of a form. */
const REMEDIES: Readonly<Record<string, string>> = {
  parse_error: 'The form cannot be read: look for a bracket or a quote that has no partner.',
  invalid_form: 'A special form is not written as it must be: (doc NAME) shows how.',
  unbound_var: 'Define the name first, or complete it with Ctrl-Space; (apropos "part") finds names.',
  unknown_tool: 'There is no such tool in this session: (dir analysis) shows what can be asked.',
  arity_error: '(doc NAME) shows what a function takes.',
  type_error: 'A function got another kind of value than it takes: (doc NAME) shows what.',
  explicit_failure:
    'A query was refused, and its reason is in the message; (doc analysis/read) shows what a query may hold.',
  timeout: 'Ask for less at once: a smaller "limit", or a filter such as "status".',
  interrupted: 'It was given up. Definitions of earlier forms are there still.',
  memory_exceeded: 'Work on smaller parts: a page at a time, with "limit" and "cursor".',
  loop_limit_exceeded: 'A loop went round too often: work on smaller parts.',
  program_too_large: 'Evaluate it in parts.',
  tool_call_limit_exceeded: 'The session has asked all that it may: start it again.',
  runtime_limit_exceeded: 'The session has had all that it may: start it again.',
  run_timeout: 'The time of the session is over: start it again.',
};

export function remedyOf({ kind }: FormProblem): string {
  return REMEDIES[kind] ?? 'The place above is where it happened; evaluate its parts one by one to see what they give.';
}

/** What a form left behind where that is not what one expects; null where it is. */
export function effectOf({ status, recovered }: Evaluation): string | null {
  if (recovered === 'part')
    return 'Functions and other values that cannot be written down were lost with the interrupted evaluation; define them again.';
  return status === 'error' ? 'It changed nothing: what earlier forms defined is as it was.' : null;
}
