import { kebabName } from '../../../contract/tool-mapping.ts';
import { compileDocument, type CompiledDocument, type DocumentTerms } from '../document/compile-document.ts';

type Members = Readonly<Record<string, unknown>>;

const TERMS = { effect: 'annotations', errorFeedback: 'closed', inspectionCapture: 'full', isInline: false } as const;

/** Terms that map every operation. */
export const ALL: DocumentTerms = {
  mapping: { rows: [], rest: { ...TERMS, allowed: null, visible: [], rows: new Map(), imported: null } },
  maxOperations: 128,
  digest: null,
  authHeaders: [],
  listsAll: false,
};

/** Terms that map these operations alone. */
export function mapping(...upstreams: readonly string[]): DocumentTerms {
  const rows = upstreams.map((upstream) => ({
    ...TERMS,
    upstream,
    as: kebabName(upstream) ?? upstream,
    description: null,
    isModelVisible: false,
  }));
  return { ...ALL, mapping: { rows, rest: null } };
}

/** A document of version 3.1 with these paths. */
export function documentOf(paths: Members, more: Members = {}): Members {
  return { openapi: '3.1.0', info: { title: 't', version: '1' }, paths, ...more };
}

/** What is made of a document, which is written as JSON unless it is a text. */
export function compile(document: unknown, terms: DocumentTerms = ALL): Promise<CompiledDocument> {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return compileDocument(new TextEncoder().encode(text), terms);
}

/** Why it is refused; throws for one that is not. */
export async function refusalOf(document: unknown, terms: DocumentTerms = ALL): Promise<string> {
  const compiled = await compile(document, terms);
  if (compiled.ok) throw new Error('the document is not refused');
  return compiled.words;
}
