import { existsSync } from 'node:fs';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { checkFixtureFile, recordFixtures } from '../../supervisor/api/authoring.ts';
import { thisMachine, publishedFiles } from '../../supervisor/api/machine.ts';
import { fixtureTask } from '../declaration/commands/fixtures.ts';
import { optionValue } from '../declaration/argument-values.ts';
import type { Command } from './command.ts';
import { findSelectedRun } from './selected-run.ts';

/** Fixtures of replayed models: recorded from a run, or compared with some (providers.md §6). */
export const fixturesCommand: Command = async (commandArguments, context) => {
  const { documents } = thisMachine(context.programDirectory);
  const word = commandArguments.positionals[1];
  const found = word === undefined ? null : await findSelectedRun(word, commandArguments, context);
  if (found?.ok === false) return { kind: 'failed', diagnostic: found.diagnostic, hint: found.hint };
  if (found?.ok === true && !existsSync(found.run.inspection))
    return {
      kind: 'failed',
      diagnostic: diagnostic('invalid_arguments'),
      hint: `the run ${found.run.runRef} kept no inspection, which holds what its model was asked and answered; set artifacts.inspection to true in the project, and run again`,
    };
  const inspections = [
    ...(found === null ? [] : [found.run.inspection]),
    ...(commandArguments.options.get('--inspection') ?? []),
  ];
  const [inspection = ''] = inspections;
  const done =
    fixtureTask(commandArguments) === 'record'
      ? await recordFixtures({
          inspection,
          out: optionValue(commandArguments, '--out') ?? '',
          documents,
          files: publishedFiles(),
        })
      : await checkFixtureFile({ fixtures: optionValue(commandArguments, '--fixtures') ?? '', inspections, documents });
  if (!done.ok) return { kind: 'failed', diagnostic: done.diagnostic, hint: done.hint };
  const result = jsonFromPlain(done.value);
  if (result === undefined) throw new TypeError('a result holds JSON values only');
  return { kind: 'result', value: result, text: null };
};
