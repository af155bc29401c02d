import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getLanguageService, TextDocument, type JSONSchema, type LanguageService } from 'vscode-json-languageservice';
import type { DocumentKind } from './document-kind.ts';

/** A document as the service is given it: its kind is its name, by which the schema is found. */
export interface JsonText {
  readonly service: LanguageService;
  readonly document: TextDocument;
  readonly parsed: ReturnType<LanguageService['parseJSONDocument']>;
}

/** Helps with the JSON documents by the schemas in a folder, which `svc schemas` writes. */
export class JsonAssistant {
  readonly #folder: string;
  #service: LanguageService | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A text of a kind; null is any JSON. */
  text(text: string, kind: DocumentKind | null): JsonText {
    // Who writes components alone needs no schemas.
    const service = (this.#service ??= serviceOf(this.#folder));
    const document = TextDocument.create(`svc:///svc-${kind ?? 'any'}.json`, 'json', 1, text);
    return { service, document, parsed: service.parseJSONDocument(document) };
  }
}

function serviceOf(folder: string): LanguageService {
  const service = getLanguageService({
    schemaRequestService: async (uri) => Promise.reject(new Error(`${uri} is not asked for`)),
    contributions: [],
  });
  const schemas = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const kind = name.slice(0, -'.json'.length);
      const schema: JSONSchema = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      return { uri: `urn:svc:schema:${kind}:1`, fileMatch: [`svc-${kind}.json`], schema };
    });
  service.configure({ validate: true, allowComments: false, schemas });
  return service;
}
