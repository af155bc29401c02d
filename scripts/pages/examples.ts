import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecording } from '../../conformance/language/table.ts';
import type { EvaluateReply } from '../../contract/sandbox-protocol.ts';
import { createGuest } from '../../sandbox/guest/main.ts';

/** One program that shows a form or a function at work. */
export interface Example {
  readonly source: string;
  /** Its value as it prints, or how it ended. */
  readonly value: string;
  readonly prints: readonly string[];
}

const root = join(import.meta.dirname, '../..');

/** Programs by the name that stands in the comment above each. */
function named(file: string): ReadonlyMap<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Map(
    lines.flatMap((line, index) => {
      const name = /^; (\S+)$/.exec(line)?.[1];
      const source = lines[index + 1];
      return name === undefined || source === undefined ? [] : [[name, source] as const];
    }),
  );
}

/** Those whose value real Clojure gave: a row of the conformance tables, which hold svc-lisp to the same. */
function recorded(): ReadonlyMap<string, Example> {
  const answers = new Map(readRecording('expressions/reference').map((row) => [row.source, row]));
  return new Map(
    [...named(join(root, 'conformance/language/expressions/reference.clj'))].map(([name, source]) => {
      const row = answers.get(source);
      if (row === undefined || !('value' in row))
        throw new Error(`the example of ${name} has no recorded value: make oracle`);
      return [name, { source, value: row.value, prints: row.out === '' ? [] : row.out.replace(/\n$/, '').split('\n') }];
    }),
  );
}

/** Those of what Clojure has not, evaluated here. */
function own(): ReadonlyMap<string, Example> {
  return new Map(
    [...named(join(import.meta.dirname, 'own-examples.clj'))].map(([name, source]) => [name, evaluated(source)]),
  );
}

function evaluated(source: string): Example {
  const guest = createGuest(() => {
    throw new Error('no tools are granted');
  });
  const request = {
    operation: 'evaluate',
    environment: 'mission',
    source,
    data: {},
    tools: [],
    loop_iterations: null,
    projection: 'printed',
  };
  const reply: EvaluateReply = JSON.parse(guest.handle(JSON.stringify(request)));
  if (reply.outcome === 'evaluation_error') throw new Error(`${source}: ${reply.fault.message}`);
  const prints = reply.prints.flatMap((text) => text.split('\n'));
  return {
    source,
    value: `${reply.value ?? 'nil'}${reply.outcome === 'continued' ? '' : ` (${reply.outcome})`}`,
    prints,
  };
}

/** The example of each name. */
export function examples(): ReadonlyMap<string, Example> {
  return new Map([...recorded(), ...own()]);
}
