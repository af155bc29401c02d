import type { ApplicationSession, SessionMissionFacts, FormError } from '../../../supervisor/api/sessions.ts';
import { optionValue } from '../../declaration/argument-values.ts';
import type { CommandArguments } from '../../declaration/types.ts';
import type { CommandEnd } from '../../ending/command-end.ts';
import type { CommandContext } from '../command.ts';
import { openDocumentServices } from '../document-services.ts';
import type { OpenedRepl, SessionTerms } from './opened.ts';

/** Digits of a hash that distinguish two missions at a glance. */
const HASH_DIGITS = 12;

/** Opens a session in an application: in its workflow, in a mission, or in what is compiled of either (cli.md §11). */
export async function openInApplication(
  commandArguments: CommandArguments,
  context: CommandContext,
  terms: SessionTerms,
): Promise<OpenedRepl | CommandEnd> {
  // What a scratch session does not need is not read for it.
  const { openApplicationSession } = await import('../../../supervisor/api/sessions.ts');
  const { userGrantUse } = await import('../../../supervisor/api/machine.ts');
  const { input, isTerminal, previewCharacters, showCode, approvals } = terms;
  const opened = await openApplicationSession({
    ...(await openDocumentServices(context)),
    runRef: context.runRef,
    document: optionValue(commandArguments, '--project') ?? optionValue(commandArguments, '--manifest') ?? '',
    hostConfig: optionValue(commandArguments, '--host-config') ?? null,
    environmentFile: optionValue(commandArguments, '--env-file') ?? null,
    mission: optionValue(commandArguments, '--mission') ?? null,
    inspectsOnly: commandArguments.options.has('--inspect-only'),
    showsPrivate: commandArguments.options.has('--private-terminal') && isTerminal && input === 'line-loop',
    input,
    previewCharacters,
    showCode,
    trace: optionValue(commandArguments, '--trace') ?? null,
    grants: userGrantUse(context.variables),
    approvals,
  });
  if (!opened.ok)
    return {
      kind: 'failed',
      diagnostic: opened.diagnostic,
      hint: opened.advice?.hint ?? null,
      faults: opened.advice?.faults ?? null,
    };
  const { value } = opened;
  return {
    session: value.session,
    banner: bannerOf(value),
    context: value.mission === null ? null : contextOf(value.mission),
    keepsHistory: false,
    trace: value.trace,
    pointer: pointerOf(value),
  };
}

function bannerOf({ mission, inspectsOnly, missions }: ApplicationSession): string {
  const alone = inspectsOnly ? ', inspect only: no tool, model or route answers' : '';
  if (mission === null) {
    const others = missions.length === 0 ? '' : `missions: ${missions.join(', ')}; --mission NAME opens one\n`;
    const catalogue = inspectsOnly ? '(components) lists what is compiled, (component ID) shows one\n' : '';
    return `svc repl: workflow session${alone}\n${others}${catalogue}`;
  }
  const { name, components, providers, inventoryHash } = mission;
  const inventory = inventoryHash === null ? '' : `inventory: ${inventoryHash.slice(0, HASH_DIGITS)}\n`;
  return `svc repl: session in the mission ${name}, without workflow and models${alone}\ncomponents: ${listed(components)}\nproviders: ${listed(providers)}\n${inventory}`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function contextOf({ name, modelContext }: SessionMissionFacts): string {
  if (modelContext === null)
    return `mission: ${name}\nThe context of a model depends on providers, which this session does not open.\n`;
  return `mission: ${name}\nsha256: ${modelContext.hash}\n${modelContext.text}\n`;
}

/** A person who looks for a mission's names in the workflow is shown where they are. */
function pointerOf({ mission, missions }: ApplicationSession): OpenedRepl['pointer'] {
  if (mission !== null || missions.length === 0) return () => '';
  return (error, source) =>
    seeksMission(error, source)
      ? `This is the workflow; open a mission with --mission NAME: ${missions.join(', ')}\n`
      : '';
}

function seeksMission({ message }: FormError, source: string): boolean {
  return message.startsWith('No such namespace: ') || /\(\s*data\//.test(source);
}
