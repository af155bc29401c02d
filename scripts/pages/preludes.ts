/** Every export of the libraries that come with the program, read from their sources by the compiler itself. */
import { join } from 'node:path';
import { shippedLibraries } from '../../supervisor/libraries/shipped.ts';
import { code, page, table } from './tables.ts';
import { libraryExports } from './library-exports.ts';

const WHAT: Readonly<Record<string, string>> = {
  'agent.core': 'The loop of an agent: turns, tools, contracts, budgets.', 'agent.failover': 'The same loop over several models, the next one when one fails.', 'agent.failure': 'Words for what an agent can end with.',
  'agent.feedback': 'What a model is told of a program that failed.', 'agent.machine': 'The states of the loop, without asking anybody.', 'agent.main': 'An agent by one call.', 'agent.native': 'Requests and answers in the form of tool calls.',
  'agent.prompt': 'What a model is told of its mission.', 'agent.retry': 'Which answers are asked for again.', analysis: 'Questions about runs that were captured.', cap: 'Calls of capabilities whose errors are values.',
  'debug.nav': 'Ways through captured evidence.', decision: 'Questions to a model that decides.', kernel: 'Programs in missions: check, run, carry on.', llm: 'Requests to models.', 'prompt.audit': 'How large each part of a prompt is.',
  result: 'Values that say whether they are an error.', runtime: 'Limits, usage and time of the run.', 'workflow.event': 'Notes of the workflow in its trace.',
};

/** The whole page. */
export function preludesPage(): string {
  const libraries = [...shippedLibraries(join(import.meta.dirname, '../../sandbox/preludes')).values()];
  const exports = libraryExports(libraries.map(({ id, dependencies, source }) => ({ id, dependencies, source: new TextDecoder().decode(source) })));
  const parts = libraries.flatMap(({ id, dependencies }) => {
    const names = exports.get(id) ?? [];
    return [
      `## ${id}`,
      `${WHAT[id] ?? ''} ${dependencies.length === 0 ? 'It depends on nothing.' : `It depends on ${dependencies.map(code).join(', ')}.`}`,
      names.length === 0 ? 'It has no exports.' : table(['Export', 'What it does'], names.map(({ name, shapes, doc }) => [(shapes.length === 0 ? [name] : shapes.map((shape) => `(${[name, shape].filter((part) => part !== '').join(' ')})`)).map(code).join(', '), doc])),
    ];
  });
  return page(
    '# Shipped libraries',
    'A manifest selects a library with `{"library": ID}` among the components of a workflow or a mission; what it depends on comes along. Its namespace has its id as name: `(kernel/eval-source "mission" source)`. `(doc kernel/eval-source)` and `(dir kernel)` tell the same inside a program.',
    ...parts,
  );
}
