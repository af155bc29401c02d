import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { failure, type Advice, type Failed } from '../../contract/outcome.ts';
import type { ExaminedText, RefusedDocuments } from './examined-text.ts';
import type { LocatedFault } from './located-fault.ts';

/** Gathers what is wrong with the documents of an application, in the order in which they are looked at. */
export class Findings {
  #first: Failed | null = null;
  #count = 0;
  readonly #manifest: ExaminedText;
  readonly #inManifest: LocatedFault[] = [];
  readonly #texts: ExaminedText[] = [];

  constructor(manifest: ExaminedText) {
    this.#manifest = manifest;
    this.noteInManifest(manifest.faults);
  }

  get count(): number {
    return this.#count;
  }

  refuse(first: Diagnostic, advice?: Advice): void {
    this.#count += 1;
    this.#first ??= failure(first, advice);
  }

  /** A rule that says something of documents which are all right up to here, and of no others. */
  check(rule: () => Diagnostic | null): void {
    const refused = this.#count === 0 ? rule() : null;
    if (refused !== null) this.refuse(refused);
  }

  noteInManifest(faults: readonly LocatedFault[]): void {
    for (const fault of faults) this.refuse(fault.diagnostic);
    this.#inManifest.push(...faults);
  }

  noteText(text: ExaminedText, first: Diagnostic): void {
    this.refuse(first);
    this.#texts.push(text);
  }

  noteTexts({ diagnostic: first, advice, texts }: RefusedDocuments): void {
    this.refuse(first, advice);
    this.#texts.push(...texts);
  }

  /** Texts that are refused, and what of it is in the manifest. */
  noteBoth(refused: RefusedDocuments & { readonly inManifest: readonly LocatedFault[] }): void {
    this.noteTexts(refused);
    this.#inManifest.push(...refused.inManifest);
  }

  refusal(): Failed {
    if (this.#first === null) throw new Error('documents that are refused have a fault');
    return this.#first;
  }

  texts(): readonly ExaminedText[] {
    return [{ ...this.#manifest, faults: this.#inManifest }, ...this.#texts];
  }
}
