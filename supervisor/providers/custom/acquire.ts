import type { Success } from '../../../contract/outcome.ts';
import { types } from 'node:util';
import { waitUntilAborted } from '../../../system/until-aborted.ts';
import { plainFromJson } from '../../../contract/json/plain.ts';
import type { AcquisitionCode } from '../../../contract/provider-protocol/session.ts';
import type { Acquire, AcquisitionTools, Occurrence } from '../source/installed-provider.ts';
import { customCapability } from './capability.ts';
import type { CustomInstallation, CustomSession } from './installation.ts';
import { AcquisitionFailure } from './outcome.ts';
import { schemaChecker } from '../schemas/schema-checker.ts';
import { sharedSchemaThreads } from '../schemas/schema-threads.ts';
import { customSnapshot } from './snapshot.ts';

type Acquired = Awaited<ReturnType<Acquire>>;

/** Opens one selected installation (providers.md §3, stage 6). */
export async function acquireCustom(
  occurrence: Occurrence,
  installation: CustomInstallation,
  tools: AcquisitionTools,
): Promise<Acquired> {
  const opened = await openInTime(occurrence, installation, tools);
  if (!opened.ok) return opened;
  const { calls, close } = opened.session;
  const replaced = Object.entries(calls ?? {});
  const isSound =
    replaced.every(([name, call]) => installation.capabilities.has(name) && typeof call === 'function') &&
    (close === undefined || typeof close === 'function');
  if (!isSound) {
    // What cannot be called as declared is released at once.
    await awaitSettled(async () => close?.());
    return refused('provider_protocol_error');
  }
  const own = new Map(replaced);
  const { capability_argument_bytes: argumentBytes, capability_result_bytes: resultBytes } = tools.limits;
  const checker = schemaChecker(sharedSchemaThreads(), tools.tenant);
  return {
    ok: true,
    value: {
      capabilities: [...installation.capabilities.values()].map((declared) =>
        customCapability(declared, own.get(declared.name) ?? declared.call, { argumentBytes, resultBytes }, checker),
      ),
      snapshot: customSnapshot(installation),
      session: null,
      hasActivity: installation.open !== null,
      share: null,
      close: close === undefined ? null : async () => close(),
    },
  };
}

type Opened = { readonly ok: true; readonly session: CustomSession } | Extract<Acquired, { readonly ok: false }>;

const NOTHING: CustomSession = {};

async function openInTime(
  { destination, config: selected }: Occurrence,
  { open, openTimeoutMs }: CustomInstallation,
  tools: AcquisitionTools,
): Promise<Opened> {
  if (open === null) return { ok: true, session: NOTHING };
  const late = AbortSignal.timeout(openTimeoutMs);
  const signal = AbortSignal.any([late, tools.signal]);
  const config = Object.fromEntries(Object.entries(Object(plainFromJson(selected))));
  const opening = awaitSettled(async () => open({ config, destination, credentials: tools.credentials, signal }));
  const ended = await waitUntilAborted(opening, signal, 'aborted');
  if (ended === 'aborted') {
    // It may still come; it is closed then, since nobody will use it.
    void opening.then((session) =>
      session.ok ? awaitSettled(async () => sessionOf(session.value)?.close?.()) : undefined,
    );
    return late.aborted ? refused('provider_acquisition_timeout') : { ok: false, refusal: 'stopped' };
  }
  if (!ended.ok) return refused('provider_unavailable');
  if (!types.isProxy(ended.value) && ended.value instanceof AcquisitionFailure) return refused(ended.value.code);
  const session = sessionOf(ended.value);
  return session === null ? refused('provider_protocol_error') : { ok: true, session };
}

type Settled<T> = Success<T> | { readonly ok: false };

/** The value of foreign code, or that it threw. */
async function awaitSettled<T>(run: () => Promise<T>): Promise<Settled<T>> {
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

function refused(code: AcquisitionCode): Extract<Acquired, { readonly ok: false }> {
  return { ok: false, refusal: { code, tool: null, hasActivity: true } };
}
