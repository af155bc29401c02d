import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { describeConfinement, LOCAL_TENANT, thisMachine, userGrantUse } from '../../supervisor/api/machine.ts';
import { examine, type DoctorOptions } from '../../supervisor/api/doctor.ts';
import { PROGRAM_FILES } from '../../system/program-files.ts';
import { optionValue } from '../declaration/argument-values.ts';
import type { CommandArguments } from '../declaration/types.ts';
import { reportEnvelope } from '../ending/command-end.ts';
import { doctorTable } from '../streams/doctor-table.ts';
import { warningLine } from '../streams/failure-line.ts';
import type { Command, CommandContext } from './command.ts';

/** providers.md §12. `doctor` is the supervisor's, another one in tests. */
export const doctorCommand =
  (doctor: typeof examine = examine): Command =>
  async (commandArguments, context) => {
    const report = await doctor(await readDoctorOptions(commandArguments, context));
    if (report.unexpected !== null) await context.reportBug(report.unexpected);
    const { envelope, hints } = report;
    return reportEnvelope(envelope, {
      ...report.advice,
      providers: report.words,
      notes: [...report.warnings.map(warningLine), ...oldCatalogueLines(report.oldCatalogue)],
      terminalNotes: [`runtime: ${await describeConfinement(context.programDirectory)}`],
      terminalText: 'result' in envelope ? (styling) => doctorTable(envelope.result, hints, styling) : null,
    });
  };

function oldCatalogueLines(date: string | null): readonly string[] {
  if (date === null) return [];
  return [
    `note: the list of models and prices is of ${date}, more than 180 days ago: install a newer svc, or name prices in the installations`,
  ];
}

async function readDoctorOptions(commandArguments: CommandArguments, context: CommandContext): Promise<DoctorOptions> {
  const { runRef, programDirectory, workingDirectory, sandbox, bundles, signal, variables } = context;
  const [document] = commandArguments.positionals;
  // A setting that keeps the sandbox from starting is found before any document is read; without an application there
  // is none.
  if (document !== undefined) await sandbox();
  return {
    runRef,
    document: document ?? null,
    hostConfig: optionValue(commandArguments, '--host-config') ?? null,
    connect: commandArguments.options.has('--connect')
      ? { environmentFile: optionValue(commandArguments, '--env-file') ?? null }
      : null,
    showsSelectors: commandArguments.options.has('--show-model-selectors'),
    machine: { nodeVersion: process.versions.node, platform: process.platform },
    variables,
    hasViewer: async () => isThere(join(programDirectory, PROGRAM_FILES.viewer)),
    workingDirectory,
    trustDomain: LOCAL_TENANT,
    sandbox,
    bundles,
    signal,
    grants: userGrantUse(variables),
    ...thisMachine(programDirectory),
  };
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
