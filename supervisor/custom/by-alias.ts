import { diagnostic, fixedSource } from '../../contract/diagnostics/diagnostic.ts';
import { failure, success } from '../../contract/outcome.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { LoadedHost } from '../documents/host/load.ts';
import type { CustomInstallation } from './installation.ts';

/**
 * The installations of the calling program by alias. An alias that the host document has too is `host_invalid`: nobody
 * could say which of both a manifest means. Two of one alias are the program's own mistake and throw TypeError.
 */
export function customByAlias(installations: readonly CustomInstallation[], host: LoadedHost | null): Outcome<ReadonlyMap<string, CustomInstallation>> {
  const byAlias = new Map(installations.map((installation) => [installation.alias, installation]));
  if (byAlias.size < installations.length) throw new TypeError('two custom installations have one alias');
  const isTaken = [...byAlias.keys()].some((alias) => host?.document.install.has(alias) === true);
  return isTaken ? failure(diagnostic('host_invalid', { source: fixedSource('host') })) : success(byAlias);
}
