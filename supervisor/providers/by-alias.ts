import { diagnostic, fixedSource } from '../../contract/diagnostics/diagnostic.ts';
import { failure, success, type Outcome } from '../../contract/outcome.ts';
import type { CustomInstallation } from './custom/installation.ts';
import type { HostDocument } from '../documents/host/fields.ts';
import type { AnyInstallation } from './table.ts';

/**
 * Everything that is installed, by alias: by the host document, and by the calling program. An alias of both is
 * `host_invalid`: nobody could say which of them a manifest means. Two of one alias are the program's own mistake and
 * throw TypeError.
 */
export function installationsByAlias(
  host: HostDocument | null,
  custom: readonly CustomInstallation[],
): Outcome<ReadonlyMap<string, AnyInstallation>> {
  const own = new Map<string, AnyInstallation>(custom.map((installation) => [installation.alias, installation]));
  if (own.size < custom.length) throw new TypeError('two custom installations have one alias');
  const isUsed = [...own.keys()].some((alias) => host?.install.has(alias) === true);
  return isUsed
    ? failure(diagnostic('host_invalid', { source: fixedSource('host') }))
    : success(new Map([...(host?.install ?? []), ...own]));
}
