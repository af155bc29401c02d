import {
  anyJson,
  boolean,
  choice,
  defaulted,
  either,
  EMPTY_OBJECT,
  integer,
  map,
  object,
  optional,
  required,
  text,
  type Decoded,
} from '../fields/shape.ts';
import { ABSOLUTE_PATH, ENVIRONMENT_NAME, NAME, NO_NUL, PROXY, PROXY_ADDRESS } from '../fields/patterns.ts';
import { limitFields } from '../limits/fields.ts';
import { INSTALLATIONS } from './sources/table.ts';

const limits = object(limitFields(['narrowable', 'optional', 'installed']));

/** How servers of models and of tools are reached (world.md §1.6). */
const network = object({
  proxy: optional(
    either(text(2048, PROXY), object({ url: required(text(2048, PROXY_ADDRESS)), binding: optional(text(128, NAME)) })),
  ),
  ca_file: optional(text(4096, NO_NUL)),
});

const MONTH_MS = 2_592_000_000;

/** Bounds of questions (approvals.md §9). They are in no identity. */
const approvals = object({
  timeout_ms: optional(integer(1000, MONTH_MS)),
  hold_ms: optional(integer(0, 3_600_000)),
  lifetime_ms: optional(integer(1000, MONTH_MS)),
  max_asks: optional(integer(0, 1000)),
  max_open: optional(integer(1, 256)),
  unattended: optional(boolean),
});

/** `svc-host.json` (documents.md §7). */
export const HOST = object({
  $schema: optional(text(2048)),
  install: required(INSTALLATIONS),
  credentials: defaulted(
    map(
      NAME,
      choice(
        null,
        object({ env: required(text(4096, ENVIRONMENT_NAME)) }),
        object({ file: required(text(4096, NO_NUL)) }),
        object({ literal: required(text(65536)) }),
      ),
      128,
    ),
    EMPTY_OBJECT,
  ),
  limits: defaulted(limits, EMPTY_OBJECT),
  runtime: defaulted(object({ stdio_launcher: optional(text(4096, ABSOLUTE_PATH)) }), EMPTY_OBJECT),
  network: defaulted(network, EMPTY_OBJECT),
  approvals: optional(approvals),
});

/** The same with any limit values: those have a code of their own and are checked after the schema. */
export const HOST_WITHOUT_LIMIT_VALUES = object({
  ...HOST.fields,
  limits: optional(object(Object.fromEntries(Object.keys(limits.fields).map((name) => [name, optional(anyJson)])))),
});

export type HostDocument = Decoded<typeof HOST>;
export type Installation = HostDocument['install'] extends ReadonlyMap<string, infer I> ? I : never;
export type InstallationOf<S extends Installation['source']> = Extract<Installation, { readonly source: S }>;
