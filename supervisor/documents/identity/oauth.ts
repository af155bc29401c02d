import { normalForm } from '../fields/normal-form.ts';
import { OAUTH } from '../host/mcp-fields.ts';
import type { OauthDeclaration } from '../host/oauth.ts';
import { identityDigest, type Digest } from '../digest.ts';

/**
 * Binds stored grants to everything that the block says, defaults included: a change of any of it invalidates them
 * (documents.md §7).
 */
export function oauthFingerprint(oauth: OauthDeclaration): Digest {
  return identityDigest('svc.oauth-block.v1', normalForm(OAUTH, oauth));
}
