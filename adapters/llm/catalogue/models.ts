import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatedEntry } from './entry.ts';

/** By the vendor's name in the price list, then by the model's exact id. */
export type ModelCatalogue = ReadonlyMap<string, ReadonlyMap<string, DatedEntry>>;

/** Made by `scripts/model-catalogue.ts`, which is also what may change it. */
const FILE = join(import.meta.dirname, 'models.json');

const read: {
  readonly date: string;
  readonly models: Readonly<Record<string, Readonly<Record<string, DatedEntry>>>>;
} = JSON.parse(readFileSync(FILE, 'utf8'));

/** The day on which the price list was published, `YYYY-MM-DD`. */
export const CATALOGUE_DATE = read.date;
export const CATALOGUE: ModelCatalogue = new Map(
  Object.entries(read.models).map(([vendor, models]) => [vendor, new Map(Object.entries(models))]),
);
