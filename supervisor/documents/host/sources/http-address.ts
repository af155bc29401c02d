import { OAUTH_REMEDIES } from '../../../../contract/diagnostics/remedies/failures.ts';
import { object, type Decoded } from '../../fields/shape.ts';
import { HTTP_ADDRESS } from '../mcp-fields.ts';
import { oauthFault } from '../oauth.ts';
import type { SourceFault } from './common.ts';

const ADDRESS = object(HTTP_ADDRESS);
/** Where a server over HTTP is, and what authorises its requests. */
export type HttpAddress = Decoded<typeof ADDRESS>;

/** Fields that the transport itself writes (documents.md §7, streamable_http). */
export const RESERVED_HEADER =
  /^(?:authorization|connection|content-length|content-type|host|proxy-authorization|transfer-encoding|mcp-.*)$/u;

/** Rules of an address over HTTP, which is declared at `at` within its installation. */
export function* addressFaults({ auth, oauth, endpoint }: HttpAddress, at: string): Iterable<SourceFault> {
  for (const [index, one] of auth.entries()) {
    if ('header' in one && RESERVED_HEADER.test(one.header.toLowerCase()))
      yield { rule: 'reserved_name', path: `${at}/auth/${index}/header` };
  }
  if (oauth === undefined) return;
  if (auth.length > 0) yield { rule: 'authentication_conflict', path: `${at}/oauth` };
  const fault = oauthFault(oauth, endpoint);
  if (fault === null) return;
  const remedy = OAUTH_REMEDIES[fault];
  yield { rule: 'oauth_invalid', path: `${at}/oauth${fault}`, ...(remedy === undefined ? {} : { remedy }) };
}
