import {
  EMPTY_OBJECT,
  anyJson,
  choice,
  defaulted,
  freeObject,
  list,
  map,
  object,
  oneOfValues,
  optional,
  required,
  text,
  type Decoded,
} from '../fields/shape.ts';
import { ENTRY, LABEL, LOGICAL, NAME } from '../fields/patterns.ts';
import { limitFields } from '../limits/fields.ts';

const name = text(128, NAME);
const reference = object({ path: required(text(1024, LOGICAL)) });

const component = choice(
  null,
  object({ library: required(name) }),
  object({
    id: required(name),
    path: required(text(1024, LOGICAL)),
    dependencies: defaulted(list(name, 128, { unique: 'checked' }), []),
  }),
);

const components = list(component, 128);

const mission = object({
  components: defaulted(components, []),
  data: defaulted(freeObject, EMPTY_OBJECT),
  /** Repeats have a code of their own: `duplicate_mission_provider`. */
  providers: defaulted(list(name, 32, { unique: 'declared' }), []),
});

const selection = object({ name: required(name), config: defaulted(freeObject, EMPTY_OBJECT) });

/** `svc.json` (documents.md §3). */
export const MANIFEST = object({
  $schema: optional(text(2048)),
  version: required(oneOfValues(1)),
  workflow: required(object({ components: required(components), entry: required(text(257, ENTRY)) })),
  missions: defaulted(map(NAME, mission, 16), EMPTY_OBJECT),
  /** That `value` is an object is refused with a code of its own: `input_invalid`. */
  input: required(choice(null, object({ value: required(anyJson) }), reference)),
  contracts: defaulted(
    object({
      input_schema: optional(reference),
      result_schema: optional(reference),
      phase_return_schemas: defaulted(map(NAME, reference, 16), EMPTY_OBJECT),
    }),
    EMPTY_OBJECT,
  ),
  providers: defaulted(
    object({ workflow: defaulted(list(selection, 32), []), mission: defaulted(list(selection, 32), []) }),
    EMPTY_OBJECT,
  ),
  limits: defaulted(object(limitFields(['narrowable', 'optional'])), EMPTY_OBJECT),
  events: defaulted(
    object({
      policy: defaulted(oneOfValues('normal', 'private'), 'normal'),
      run_id: optional(text(256)),
      trace_id: optional(text(256)),
    }),
    EMPTY_OBJECT,
  ),
  labels: defaulted(
    object({
      name: optional(text(256, LABEL)),
      model: optional(text(256, LABEL)),
      provider: optional(text(256, LABEL)),
      tags: optional(
        object({
          environment: optional(oneOfValues('development', 'test', 'staging', 'production')),
          mode: optional(oneOfValues('agent', 'deterministic', 'direct', 'wrapper', 'repl')),
          stage: optional(oneOfValues('started', 'planning', 'executing', 'validating', 'completed', 'failed')),
          suite: optional(oneOfValues('unit', 'integration', 'e2e', 'conformance', 'privacy')),
        }),
      ),
    }),
    EMPTY_OBJECT,
  ),
});

export type Manifest = Decoded<typeof MANIFEST>;
export type ManifestComponent = Manifest['workflow']['components'][number];
export type ManifestSelection = Manifest['providers']['workflow'][number];
