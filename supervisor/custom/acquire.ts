import { types } from 'node:util';
import { diagnostic, providerSubject } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { plainFromJson } from '../../contract/json/plain.ts';
import { failure, success } from '../../contract/outcome.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { Capability } from '../broker/capability.ts';
import type { Occurrence } from '../preflight/occurrence.ts';
import { customCapability } from './capability.ts';
import type { CustomInstallation, CustomSession } from './installation.ts';
import { AcquisitionFailure } from './outcome.ts';
import type { SchemaChecker } from './schema-checker.ts';

/** One opened installation: what it supplies, and what closes it. */
export interface AcquiredCustom {
  readonly capabilities: readonly Capability[];
  /** Null: there is nothing to close. */
  readonly close: (() => Promise<void>) | null;
}

export interface AcquisitionTools {
  readonly checker: SchemaChecker;
  /** `capability_argument_bytes`, `capability_result_bytes`. */
  readonly argumentBytes: number;
  readonly resultBytes: number;
  /** Aborted when the run stops. */
  readonly signal: AbortSignal;
}

/** Opens one selected installation (providers.md §3, stage 6). A refusal is a `provider_acquisition` diagnostic. */
export async function acquireCustom(occurrence: Occurrence, installation: CustomInstallation, tools: AcquisitionTools): Promise<Outcome<AcquiredCustom>> {
  const opened = await openInTime(occurrence, installation, tools.signal);
  if (!opened.ok) return opened;
  const { calls, close } = opened.value;
  const replaced = Object.entries(calls ?? {});
  const isSound = replaced.every(([name, call]) => installation.capabilities.has(name) && typeof call === 'function') && (close === undefined || typeof close === 'function');
  if (!isSound) {
    // What cannot be called as declared is let go at once.
    await settled(async () => close?.());
    return failure(refused(occurrence, 'provider_protocol_error'));
  }
  const own = new Map(replaced);
  const bounds = { argumentBytes: tools.argumentBytes, resultBytes: tools.resultBytes };
  return success({
    capabilities: [...installation.capabilities.values()].map((declared) => customCapability(declared, own.get(declared.name) ?? declared.call, bounds, tools.checker)),
    close: close === undefined ? null : async () => close(),
  });
}

const NOTHING: CustomSession = {};

async function openInTime(occurrence: Occurrence, { open, openTimeoutMs }: CustomInstallation, runSignal: AbortSignal): Promise<Outcome<CustomSession>> {
  if (open === null) return success(NOTHING);
  const late = AbortSignal.timeout(openTimeoutMs);
  const signal = AbortSignal.any([late, runSignal]);
  const config = Object.fromEntries(Object.entries(Object(plainFromJson(occurrence.config))));
  const opening = settled(async () => open({ config, destination: occurrence.destination, signal }));
  const ended = await Promise.race([opening, aborted(signal)]);
  if (ended === 'aborted') {
    // It may still come; it is closed then, since nobody will use it.
    void opening.then((session) => (session.ok ? settled(async () => sessionOf(session.value)?.close?.()) : undefined));
    return failure(late.aborted ? refused(occurrence, 'provider_acquisition_timeout') : diagnostic('internal_error', { providerActivity: true }));
  }
  if (!ended.ok) return failure(refused(occurrence, 'provider_unavailable'));
  if (!types.isProxy(ended.value) && ended.value instanceof AcquisitionFailure) return failure(refused(occurrence, ended.value.code));
  const session = sessionOf(ended.value);
  return session === null ? failure(refused(occurrence, 'provider_protocol_error')) : success(session);
}

type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

/** The value of foreign code, or that it threw. */
async function settled<T>(run: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { ok: true, value: await run() };
  } catch {
    return { ok: false };
  }
}

function sessionOf(opened: unknown): CustomSession | null {
  if (opened === undefined) return NOTHING;
  return typeof opened === 'object' && opened !== null && !types.isProxy(opened) ? opened : null;
}

function aborted(signal: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('aborted');
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
}

type RefusalCode = AcquisitionFailure['code'] | 'provider_acquisition_timeout';

function refused({ alias, destination, index }: Occurrence, code: RefusalCode): Diagnostic {
  return diagnostic(code, { subject: providerSubject(alias, 'acquisition', { destination, index }), providerActivity: true });
}
