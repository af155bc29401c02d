import {
  boolean,
  choice,
  defaulted,
  EMPTY_OBJECT,
  map,
  object,
  oneOfValues,
  optional,
  required,
  text,
  type Decoded,
} from '../../fields/shape.ts';
import { DIGEST, OPERATION } from '../../fields/patterns.ts';
import { HTTP_ADDRESS } from '../mcp-fields.ts';
import {
  approval,
  ceiling,
  dataPolicy,
  hostPath,
  leavesDirectory,
  name,
  revision,
  type SourceFault,
} from './common.ts';
import { addressFaults } from './http-address.ts';
import { toolFaults } from './tool-faults.ts';

/** A row of the mapping; everything may be left out. */
const operation = object({
  as: optional(name),
  /** Absent: GET and HEAD read, all others write. */
  effect: optional(oneOfValues('read', 'write')),
  description: optional(text(4096)),
  approval,
  error_feedback: defaulted(oneOfValues('closed', 'bounded'), 'closed'),
  model_visible: defaulted(boolean, false),
  /** Of an operation that writes everything is kept. */
  inspection_capture: defaulted(oneOfValues('full', 'digest_results'), 'full'),
});

const digest = text(71, DIGEST);

/** An API that an OpenAPI document describes. */
export const openapiFields = object({
  source: required(oneOfValues('openapi')),
  installation_revision: revision,
  ...dataPolicy,
  document: required(
    choice(
      null,
      object({ path: required(hostPath), digest: optional(digest) }),
      object({ url: required(text(4096)), digest: required(digest) }),
    ),
  ),
  ...HTTP_ADDRESS,
  approval,
  tools: required(map(OPERATION, operation, 128, 1)),
  ceilings: defaulted(
    object({
      timeout_ms: ceiling(5000, 1, 300000),
      max_operations: ceiling(128, 1, 128),
      max_result_bytes: ceiling(1000000, 1, 1048576),
    }),
    EMPTY_OBJECT,
  ),
});

/** Rules of an API's document, operations and address. */
export function* openapiFaults(installation: Decoded<typeof openapiFields>): Iterable<SourceFault> {
  const { document, tools } = installation;
  if ('path' in document && leavesDirectory(document.path)) yield { rule: 'path_unsafe', path: '/document/path' };
  yield* toolFaults(tools);
  yield* addressFaults(installation, '');
}
