import { canonicalJson, type JsonText } from '../../contract/json/canonical.ts';
import { compareUtf8 } from '../../contract/json/utf8.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { SnapshotFacts } from '../../contract/provider-protocol/session.ts';
import type { OfferedTool } from './declaration.ts';
import type { Discovered } from './discover-server.ts';
import type { Prepared } from './transport.ts';
import type { Target } from './transports.ts';
import { hashOf, hashOfText } from './protocol/discovery.ts';

/** Digests and closed words: nothing of the server's own text, and no name that only it knows (providers.md §2). */
export function snapshotOf(
  offered: readonly OfferedTool[],
  { revision, serverInfoHash }: Discovered,
  { target, facts }: Prepared<Target>,
  contentHash: string | null,
): SnapshotFacts<JsonText> {
  const acquisition = new Map<string, JsonValue>([
    ['source', 'mcp'],
    ['protocol', `mcp-${revision}`],
    ['transport', target.type],
    ['server_info_hash', serverInfoHash],
    ['tools', offered.toSorted((left, right) => compareUtf8(left.declared.as, right.declared.as)).map(toolEntry)],
    ...facts,
  ]);
  return { acquisition: canonicalJson(acquisition), unidentified: [], contentHash };
}

function toolEntry({ declared, listed }: OfferedTool): JsonValue {
  return new Map<string, JsonValue>([
    ['name', declared.as],
    ['effect', declared.effect],
    ['error_feedback', declared.errorFeedback],
    ['model_visible', declared.isModelVisible],
    ['upstream_name_hash', hashOf(declared.upstream)],
    ['description_hash', declared.isModelVisible ? hashOf(declared.description ?? listed.description ?? '') : null],
    ['input_schema_hash', hashOfText(listed.inputSchema)],
    ['output_schema_hash', listed.outputSchema === null ? null : hashOfText(listed.outputSchema)],
    [
      'http_headers_hash',
      listed.headers.length === 0 ? null : hashOf(listed.headers.map(({ property, header }) => [property, header])),
    ],
  ]);
}
