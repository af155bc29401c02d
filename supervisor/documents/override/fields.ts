import {
  boolean,
  choice,
  object,
  oneOfValues,
  optional,
  required,
  text,
  unidentified,
  type Decoded,
} from '../fields/shape.ts';
import { DIGEST, LOGICAL, NAME, RUN_ID, UTC_TIME } from '../fields/patterns.ts';

const digest = text(71, DIGEST);

/** The component override descriptor (documents.md §11). */
export const OVERRIDE = object({
  target: required(
    choice(
      'environment',
      object({ environment: required(oneOfValues('workflow')) }),
      object({ environment: required(oneOfValues('mission')), mission: required(text(128, NAME)) }),
    ),
  ),
  component_id: required(text(128, NAME)),
  base_source_hash: required(digest),
  source_hash: required(digest),
  path: required(text(1024, LOGICAL)),
  /** Nothing verifies it, so nothing may depend on it. */
  provenance: unidentified(
    optional(
      object({
        run_id: optional(text(128, RUN_ID)),
        prompt_hash: optional(digest),
        authored_at: optional(text(64, UTC_TIME)),
        accept_widened_effect: optional(boolean),
      }),
    ),
  ),
});

export type OverrideDescriptor = Decoded<typeof OVERRIDE>;
