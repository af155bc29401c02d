import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import {
  limitPrerequisiteMessage,
  limitRangeMessage,
  type LimitPrerequisite,
} from '../../../contract/diagnostics/messages/documents.ts';
import { integerOf, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { inLimitRange, LIMITS } from '../../../contract/limits/catalogue.ts';
import { installedCeiling } from '../../../contract/limits/effective.ts';
import { ruleDiagnostic } from '../diagnostics.ts';
import { violation } from '../fields/violation.ts';
import type { LocatedFault } from '../located-fault.ts';
import type { HostDocument, Installation, InstallationOf } from './fields.ts';

const ROWS_BY_NAME = LIMITS.toSorted((left, right) => (left.name < right.name ? -1 : 1));

/** Every written limit is an integer in its range; the first fault by name (documents.md §5). */
export function* installedLimitFaults(host: JsonValue): Iterable<LocatedFault> {
  const limits = isJsonObject(host) ? host.get('limits') : undefined;
  if (!isJsonObject(limits)) return;
  for (const row of ROWS_BY_NAME) {
    const input = limits.get(row.name);
    if (input === undefined) continue;
    const value = integerOf(input);
    if (value !== undefined && inLimitRange(row, Number(value))) continue;
    const { name, minimum, maximum } = row;
    yield {
      diagnostic: diagnostic('installed_limit_invalid', {
        path: `/limits/${name}`,
        message: limitRangeMessage({ limit: name, minimum, maximum }),
      }),
      at: ['limits', name],
      remedy: `write an integer from ${String(minimum)} to ${String(maximum)}`,
    };
  }
}

type LiveModel = InstallationOf<'llm'>;

/** What a budget can rest on: every live model must promise it. */
const PREREQUISITES: Readonly<
  Record<
    'llm_cost_microusd' | 'llm_total_tokens',
    readonly (readonly [LimitPrerequisite, (model: LiveModel) => boolean])[]
  >
> = {
  llm_cost_microusd: [
    ['usage_guarantees.tokens', (model) => model.usage_guarantees.tokens],
    ['usage_guarantees.cost_currency', (model) => model.usage_guarantees.cost_currency === 'USD'],
    ['reservation_tariff', (model) => model.reservation_tariff !== undefined],
  ],
  llm_total_tokens: [['usage_guarantees.tokens', (model) => model.usage_guarantees.tokens]],
};

const PREREQUISITE_VALUES: Readonly<Record<LimitPrerequisite, string>> = {
  'usage_guarantees.tokens': 'usage_guarantees with "tokens": true',
  'usage_guarantees.cost_currency': 'usage_guarantees with "cost_currency": "USD"',
  reservation_tariff: 'reservation_tariff {"currency": "USD", "id": NAME}',
};

/** A model budget needs guarantees of every live model installation (documents.md §5). */
export function* prerequisiteFaults({ limits, install }: HostDocument): Iterable<LocatedFault> {
  const models = [...install.values()].filter((installation) => installation.source === 'llm');
  for (const limit of ['llm_cost_microusd', 'llm_total_tokens'] as const) {
    if (limits[limit] === undefined) continue;
    for (const [prerequisite, holds] of PREREQUISITES[limit]) {
      if (models.every(holds)) continue;
      yield {
        diagnostic: diagnostic('installed_limit_invalid', {
          path: `/limits/${limit}`,
          message: limitPrerequisiteMessage(limit, prerequisite),
        }),
        at: ['limits', limit],
        remedy: `add ${PREREQUISITE_VALUES[prerequisite]} to each llm installation, or take the limit out`,
      };
    }
  }
}

/**
 * The request timeout of a model stays within the host's own: an omitted one is lowered to it, a written one above it
 * is refused (documents.md §7).
 */
export function lowerRequestTimeouts(document: HostDocument): HostDocument {
  const ceiling = requestTimeoutCeiling(document);
  if (ceiling === null) return document;
  const install = new Map<string, Installation>();
  for (const [alias, installation] of document.install) install.set(alias, lowered(installation, ceiling));
  return { ...document, install };
}

/** Written request timeouts above the host's own. */
export function* requestTimeoutFaults(document: HostDocument, written: JsonValue): Iterable<LocatedFault> {
  const ceiling = requestTimeoutCeiling(document);
  if (ceiling === null) return;
  for (const [alias, installation] of document.install) {
    if (!isTimed(installation) || installation.ceilings.request_timeout_ms <= ceiling || !isWritten(written, alias))
      continue;
    const path = ['install', '*', 'ceilings', 'request_timeout_ms'];
    yield {
      diagnostic: ruleDiagnostic('host_schema_invalid', 'host', violation(path, 'maximum', { bound: ceiling })),
      at: ['install', alias, 'ceilings', 'request_timeout_ms'],
      remedy: `write at most ${String(ceiling)}, or raise limits.llm_request_timeout_ms of this document`,
    };
  }
}

function requestTimeoutCeiling({ limits }: HostDocument): number | null {
  const row = LIMITS.find(({ name }) => name === 'llm_request_timeout_ms');
  return row === undefined ? null : installedCeiling(row, limits.llm_request_timeout_ms);
}

type Timed = Extract<Installation, { readonly ceilings: { readonly request_timeout_ms: number } }>;

function isTimed(installation: Installation): installation is Timed {
  return 'request_timeout_ms' in installation.ceilings;
}

function lowered(installation: Installation, ceiling: number): Installation {
  if (!isTimed(installation) || installation.ceilings.request_timeout_ms <= ceiling) return installation;
  return { ...installation, ceilings: { ...installation.ceilings, request_timeout_ms: ceiling } };
}

function isWritten(host: JsonValue, alias: string): boolean {
  let at: JsonValue | undefined = host;
  for (const key of ['install', alias, 'ceilings', 'request_timeout_ms'])
    at = isJsonObject(at) ? at.get(key) : undefined;
  return at !== undefined;
}
