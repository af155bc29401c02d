import {
  RULE_PROBLEMS,
  SELECTION_RULE_PROBLEMS,
  SELECTION_RULE_REMEDIES,
} from '../../../contract/diagnostics/remedies/rules.ts';
import {
  diagnostic,
  providerSubject,
  type Destination,
  type Diagnostic,
  type DiagnosticCode,
} from '../../../contract/diagnostics/diagnostic.ts';
import { selectionMessage } from '../../../contract/diagnostics/messages/programs.ts';
import { isJsonArray, type JsonObject } from '../../../contract/json/value.ts';
import type { EffectiveLimits } from '../../../contract/limits/effective.ts';
import { insteadOf } from '../../../contract/names/suggestion.ts';
import type { HostDocument } from '../../documents/host/fields.ts';
import type { LocatedFault } from '../../documents/located-fault.ts';
import type { Manifest, ManifestSelection } from '../../documents/manifest/fields.ts';
import { selectApproval } from '../../providers/source/approval.ts';
import type { InstalledProvider, Occurrence } from '../../providers/source/installed-provider.ts';
import type { SelectionCheck } from '../../providers/source/selection.ts';
import { installedProvider, type AnyInstallation } from '../../providers/table.ts';

export interface SelectionFacts {
  readonly manifest: Pick<Manifest, 'providers'>;
  readonly host: HostDocument | null;
  /** By alias: of the host document, and of the calling program. */
  readonly installed: ReadonlyMap<string, AnyInstallation>;
  readonly limits: EffectiveLimits;
}

/** The selections of a manifest, as far as they can be. */
export interface Selections {
  /** In order of the manifest. */
  readonly workflow: readonly Occurrence[];
  readonly mission: readonly Occurrence[];
  /** Those that cannot be, with what to do; a command reports the first. */
  readonly faults: readonly LocatedFault[];
}

/** Every selection of a manifest, on its own (documents.md §12.9). */
export function readSelections({ manifest, host, installed, limits }: SelectionFacts): Selections {
  const faults: LocatedFault[] = [];
  const select = (destination: Destination): readonly Occurrence[] =>
    manifest.providers[destination].flatMap((selection, index) => {
      const installation = installed.get(selection.name);
      const provider = installation === undefined ? null : installedProvider(installation, host);
      const selected = selectOne({ destination, index, selection, provider, limits });
      if (selected.ok) return [selected.occurrence];
      const aliases = host === null ? null : [...installed.keys()];
      const place = placed(selected, destination, index, selection, aliases);
      faults.push({ diagnostic: selected.diagnostic, ...place });
      return [];
    });
  const [workflow, mission] = [select('workflow'), select('mission')];
  return { workflow, mission, faults };
}

interface OneSelection {
  readonly destination: Destination;
  /** Position in the manifest's list. */
  readonly index: number;
  readonly selection: ManifestSelection;
  /** What is installed under its alias; null for nothing. */
  readonly provider: InstalledProvider | null;
  readonly limits: EffectiveLimits;
}

interface RefusedSelection {
  readonly ok: false;
  readonly diagnostic: Diagnostic;
  /** Why its `config` cannot be; null where the selection itself cannot. */
  readonly refused: Extract<SelectionCheck, { ok: false }> | null;
}

function selectOne({
  destination,
  index,
  selection: { name, config },
  provider,
  limits,
}: OneSelection): { readonly ok: true; readonly occurrence: Occurrence } | RefusedSelection {
  const refuse = (
    code: DiagnosticCode,
    operation: 'declaration' | 'selection',
    refused: RefusedSelection['refused'] = null,
  ): RefusedSelection => {
    const subject = providerSubject(name, operation, { destination, index });
    return {
      ok: false,
      refused,
      diagnostic: diagnostic(code, {
        subject,
        ...(refused === null ? {} : { message: selectionMessage(refused.fault) }),
      }),
    };
  };
  if (provider === null) return refuse('provider_unknown', 'declaration');
  if (!provider.isPlaceable(destination, config)) return refuse('placement_denied', 'selection');
  const host = provider.approvalOf ?? null;
  // Where nobody can be asked about anything `approval` is a member like any other.
  const rest = host === null ? config : new Map([...config].filter(([member]) => member !== 'approval'));
  const checked = provider.select(destination, rest, limits);
  if (!checked.ok) return refuse('selection_invalid', 'selection', checked);
  const { selection } = checked;
  const occurrence = { destination, index, alias: name, provider, selection, config: checked.config };
  if (host === null) return { ok: true, occurrence };
  const names = provider.offers(selection, name).map((offer) => offer.name);
  const approval = selectApproval(config, host, names);
  if (!approval.ok) return refuse('selection_invalid', 'selection', { ok: false, fault: approval.fault });
  const { approvalOf, written } = approval;
  const whole = written === null ? checked.config : new Map([...checked.config, ['approval', written] as const]);
  return { ok: true, occurrence: { ...occurrence, config: whole, approvalOf } };
}

type SelectionPlace = Pick<LocatedFault, 'at' | 'problem' | 'remedy'>;

/** `aliases` null: there is no host document. */
function placed(
  { diagnostic: { code }, refused }: RefusedSelection,
  destination: Destination,
  index: number,
  { name, config }: ManifestSelection,
  aliases: readonly string[] | null,
): SelectionPlace {
  const at = ['providers', destination, String(index)];
  if (code === 'provider_unknown') {
    if (aliases === null)
      return {
        at: [...at, 'name'],
        remedy: 'no host document is given: name one with --host-config, or as host in a project',
      };
    return { at: [...at, 'name'], ...(aliases.length === 0 ? {} : { remedy: insteadOf(name, aliases) }) };
  }
  if (refused === null) return { at: [...at, 'name'] };
  return refusedPlace(refused, [...at, 'config'], config);
}

function refusedPlace(
  { fault, known }: Extract<SelectionCheck, { ok: false }>,
  at: readonly string[],
  config: JsonObject,
): SelectionPlace {
  if (fault !== 'unknown_property') {
    const { field, rule, bound, item, names = [], words } = fault;
    if (words !== undefined) return { at: [...at, field], ...words };
    const problem = SELECTION_RULE_PROBLEMS[rule].replace('BOUND', String(bound ?? 'its bound'));
    const remedy = SELECTION_RULE_REMEDIES[rule].replace('BOUND', String(bound ?? 'its bound'));
    if (item === undefined) return { at: [...at, field], problem, remedy };
    const listed = config.get(field);
    const input = isJsonArray(listed) ? listed[item] : undefined;
    const instead = names.length === 0 ? remedy : insteadOf(typeof input === 'string' ? input : '', names);
    return { at: [...at, field, String(item)], problem, remedy: instead };
  }
  const unknown = known === undefined ? undefined : [...config.keys()].find((key) => !known.includes(key));
  if (unknown === undefined || known === undefined)
    return { at, problem: RULE_PROBLEMS.unknown_property, remedy: 'remove it' };
  return {
    at: [...at, unknown],
    problem: RULE_PROBLEMS.unknown_property,
    remedy: known.length === 0 ? 'remove it: this provider takes no config' : insteadOf(unknown, known),
  };
}
