import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogueEntry } from './entry.ts';

/** By the vendor's name in the price list, then by the model's exact id. */
export type ModelCatalogue = ReadonlyMap<string, ReadonlyMap<string, CatalogueEntry>>;

/** Made by `scripts/model-catalogue.ts`, which is also what may change it. */
const FILE = join(import.meta.dirname, 'models.json');

const read: Readonly<Record<string, Readonly<Record<string, CatalogueEntry>>>> = JSON.parse(readFileSync(FILE, 'utf8'));
export const CATALOGUE: ModelCatalogue = new Map(
  Object.entries(read).map(([vendor, models]) => [vendor, new Map(Object.entries(models))]),
);
