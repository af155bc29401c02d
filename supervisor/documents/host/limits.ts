import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { limitPrerequisiteMessage, limitRangeMessage } from '../../../contract/diagnostics/messages/documents.ts';
import type { LimitPrerequisite } from '../../../contract/diagnostics/messages/documents.ts';
import { integerOf, isJsonObject } from '../../../contract/json/value.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { inLimitRange, LIMITS } from '../../../contract/limits/catalogue.ts';
import { installedCeiling } from '../../../contract/limits/effective.ts';
import { failure, success } from '../../../contract/outcome.ts';
import type { Outcome } from '../../../contract/outcome.ts';
import { ruleDiagnostic } from '../diagnostics.ts';
import { violation } from '../fields/violation.ts';
import type { HostDocument, Installation, InstallationOf } from './fields.ts';

const ROWS_BY_NAME = LIMITS.toSorted((left, right) => (left.name < right.name ? -1 : 1));

/** Every written limit is an integer in its range; the first fault by name (documents.md §5). */
export function checkInstalledLimits(host: JsonValue): Diagnostic | null {
  const limits = isJsonObject(host) ? host.get('limits') : undefined;
  if (!isJsonObject(limits)) return null;
  for (const row of ROWS_BY_NAME) {
    const given = limits.get(row.name);
    if (given === undefined) continue;
    const value = integerOf(given);
    if (value !== undefined && inLimitRange(row, Number(value))) continue;
    return diagnostic('installed_limit_invalid', {
      path: `/limits/${row.name}`,
      message: limitRangeMessage({ limit: row.name, minimum: row.minimum, maximum: row.maximum }),
    });
  }
  return null;
}

type LiveModel = InstallationOf<'llm'>;

/** What a budget can rest on: every live model must promise it. */
const PREREQUISITES: Readonly<
  Record<'llm_cost_microusd' | 'llm_total_tokens', readonly (readonly [LimitPrerequisite, (model: LiveModel) => boolean])[]>
> = {
  llm_cost_microusd: [
    ['usage_guarantees.tokens', (model) => model.usage_guarantees.tokens],
    ['usage_guarantees.cost_currency', (model) => model.usage_guarantees.cost_currency === 'USD'],
    ['reservation_tariff', (model) => model.reservation_tariff !== undefined],
  ],
  llm_total_tokens: [['usage_guarantees.tokens', (model) => model.usage_guarantees.tokens]],
};

/** A model budget needs guarantees of every live model installation (documents.md §5). */
export function checkLimitPrerequisites({ limits, install }: HostDocument): Diagnostic | null {
  const models = [...install.values()].filter((installation) => installation.source === 'llm');
  for (const limit of ['llm_cost_microusd', 'llm_total_tokens'] as const) {
    if (limits[limit] === undefined) continue;
    for (const [prerequisite, holds] of PREREQUISITES[limit]) {
      if (models.every(holds)) continue;
      return diagnostic('installed_limit_invalid', {
        path: `/limits/${limit}`,
        message: limitPrerequisiteMessage(limit, prerequisite),
      });
    }
  }
  return null;
}

/**
 * The request timeout of a model stays within the host's own: an omitted one is lowered to it, a written one above it
 * is refused (documents.md §7).
 */
export function lowerRequestTimeouts(document: HostDocument, written: JsonValue): Outcome<HostDocument> {
  const row = LIMITS.find(({ name }) => name === 'llm_request_timeout_ms');
  const ceiling = row === undefined ? null : installedCeiling(row, document.limits.llm_request_timeout_ms);
  if (ceiling === null) return success(document);
  const install = new Map<string, Installation>();
  for (const [alias, installation] of document.install) {
    if (installation.source !== 'llm' && installation.source !== 'decision') {
      install.set(alias, installation);
      continue;
    }
    const { ceilings } = installation;
    if (ceilings.request_timeout_ms <= ceiling) {
      install.set(alias, installation);
    } else if (isWritten(written, alias)) {
      const path = ['install', '*', 'ceilings', 'request_timeout_ms'];
      return failure(ruleDiagnostic('host_schema_invalid', 'host', violation(path, 'maximum', { bound: ceiling })));
    } else {
      install.set(alias, { ...installation, ceilings: { ...ceilings, request_timeout_ms: ceiling } });
    }
  }
  return success({ ...document, install });
}

function isWritten(host: JsonValue, alias: string): boolean {
  let at: JsonValue | undefined = host;
  for (const key of ['install', alias, 'ceilings', 'request_timeout_ms']) at = isJsonObject(at) ? at.get(key) : undefined;
  return at !== undefined;
}
