/**
 * Records what real Clojure gives for the corpus (part of `make oracle`); a program that it cannot run fails the
 * command.
 */
import { writeFileSync } from 'node:fs';
import { reasonToMark } from '../../conformance/language/reason-to-mark.ts';
import { startReference } from '../../conformance/language/reference.ts';
import { isRecorded } from '../../conformance/language/table.ts';
import { type Half, type Program, programs, type Recorded, recordingPath } from './table.ts';

/** JSON is EDN but for colons and null. */
function edn(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|:|null/g, (token) =>
    token === ':' ? ' ' : token === 'null' ? 'nil' : token,
  );
}

/** With what svc-lisp gives every program: its data, short names of java.time, `return`. */
function asClojure({ source, data, keywords }: Program): string {
  const values = Object.entries(data).map(
    ([name, json]) =>
      `(intern 'data '${name} ${keywords ? `(clojure.walk/keywordize-keys '${edn(json)})` : `'${edn(json)}`})`,
  );
  return `(remove-ns 'data) (create-ns 'data) ${values.join(' ')} (import 'java.time.LocalDate) ${source}`;
}

const reference = startReference();
let faults = 0;
for (const half of ['warm', 'measure'] satisfies readonly Half[]) {
  const plain = programs(half).filter(({ own }) => own === null);
  const answers = await reference.ask(plain.map(asClojure));
  const lines = plain.flatMap(({ name, source }, index): readonly Recorded[] => {
    const input: unknown = { source, ...Object(answers[index]) };
    if (!isRecorded(input)) throw new Error(`the reference answered ${JSON.stringify(input)}`);
    const fault = 'error' in input ? `${input.error}: ${input.message}` : reasonToMark(input);
    if (fault === null && 'value' in input) return [{ name, value: input.value, out: input.out }];
    faults += 1;
    process.stderr.write(`${name}: ${fault}\n`);
    return [];
  });
  writeFileSync(recordingPath(half), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  process.stdout.write(`${half}: ${lines.length} programs\n`);
}
await reference.close();
process.exitCode = faults === 0 ? 0 : 1;
