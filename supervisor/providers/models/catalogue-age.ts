import type { InstalledProvider } from '../source/installed-provider.ts';

/** Older than that, the list of models and their prices may well be wrong (world.md §1.8). */
const OLD_DAYS = 180;
const DAY_MS = 86_400_000;

/**
 * The day of the bundled list of models, `YYYY-MM-DD`, where one of these providers is priced by it and it is more than
 * 180 days old at `nowMs`, milliseconds since 1970; else null.
 */
export async function findOldCatalogue(
  providers: ReadonlyMap<string, InstalledProvider>,
  nowMs: number,
): Promise<string | null> {
  for (const { describeModel } of providers.values()) {
    const date = (await describeModel?.())?.route?.catalogueDate;
    if (date !== undefined) return isOld(date, nowMs) ? date : null;
  }
  return null;
}

/** Whether more than 180 days have passed since the beginning of a day. */
export function isOld(date: string, nowMs: number): boolean {
  return nowMs - Date.parse(`${date}T00:00:00Z`) > OLD_DAYS * DAY_MS;
}
