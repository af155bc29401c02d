import { check } from '../fields/check.ts';
import { parseDocument } from '../json-document.ts';
import type { ReadOutcome } from '../safe-file.ts';
import { MAX_BYTES } from '../sizes.ts';
import { GATEWAY } from './fields.ts';
import type { GatewayDocument } from './fields.ts';

/** Codes with which a gateway refuses to start over its own document, in their order (documents.md §8). */
export type GatewayDocumentCode =
  | 'config_unavailable'
  | 'duplicate_json_key'
  | 'config_invalid'
  | 'origin_invalid'
  | 'tool_name_duplicate'
  | 'audit_invalid';

export type GatewayLoad =
  | { readonly ok: true; readonly directory: string; readonly document: GatewayDocument }
  | { readonly ok: false; readonly code: GatewayDocumentCode };

/** The gateway document by itself; `directory` is the canonical one, from which its paths start. */
export function loadGateway(read: ReadOutcome): GatewayLoad {
  if (!read.ok) return refused('config_unavailable');
  const { bytes, directory } = read.file;
  const parsed = parseDocument(bytes, MAX_BYTES.gateway);
  if (!parsed.ok) {
    switch (parsed.fault.kind) {
      case 'limit':
        return refused('config_unavailable');
      case 'duplicate':
        return refused('duplicate_json_key');
      case 'json':
        return refused('config_invalid');
    }
  }
  const checked = check(GATEWAY, parsed.document.value);
  if (checked.status !== 'valid') return refused('config_invalid');
  const document = checked.value;
  if (!document.listen.allowed_origins.every(isSerialisedOrigin)) return refused('origin_invalid');
  if (new Set(document.tools.map(({ name }) => name)).size < document.tools.length) return refused('tool_name_duplicate');
  const writes = document.tools.some((tool) => tool.allow_write);
  if (writes !== (document.private_audit !== undefined)) return refused('audit_invalid');
  return { ok: true, directory, document };
}

function refused(code: GatewayDocumentCode): GatewayLoad {
  return { ok: false, code };
}

/** As browsers send it: scheme, lower-case host, a port only where it is not the default. */
function isSerialisedOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && /^https?:$/u.test(url.protocol) && url.origin === origin;
}
