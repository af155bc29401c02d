import {
  EMPTY_OBJECT,
  boolean,
  defaulted,
  integer,
  listed,
  object,
  oneOfValues,
  optional,
  required,
  text,
  type Decoded,
} from '../fields/shape.ts';
import { PROJECT_PATH } from '../fields/patterns.ts';

const path = text(1024, PROJECT_PATH);

/** `svc-project.json` (documents.md §6). */
export const PROJECT = object({
  $schema: optional(text(2048)),
  kind: required(oneOfValues('svc-project')),
  version: required(oneOfValues(1)),
  application: required(object({ path: required(path) })),
  host: optional(object({ path: required(path), env_file: optional(object({ path: required(path) })) })),
  artifacts: optional(
    object({
      root: required(path),
      trace: defaulted(boolean, false),
      inspection: defaulted(boolean, false),
      result: defaulted(boolean, false),
      envelope: defaulted(boolean, false),
    }),
  ),
  viewer: defaulted(
    object({
      port: defaulted(integer(0, 65535), 0),
      open: defaulted(boolean, false),
      repl: defaulted(boolean, false),
      private: defaulted(boolean, false),
      /** Whether its pages may decide what waits for a person (approvals.md §8). */
      approvals: optional(boolean),
    }),
    EMPTY_OBJECT,
  ),
  /** Where cases are, folders or files (first-day.md §2); absent: in the folder `tests`, where there is one. */
  tests: optional(listed(path, 64, { minimum: 1, unique: 'checked' })),
});

export type ProjectDocument = Decoded<typeof PROJECT>;
