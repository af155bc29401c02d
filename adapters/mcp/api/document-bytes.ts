/** Bytes of a document: with what is made of it, within the heap of its worker. */
export const DOCUMENT_BYTES = 8_388_608;
