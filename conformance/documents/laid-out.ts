import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BASE_FILES, FILE_NAMES, MARK, type DocumentName } from './base.ts';
import { expanded } from './contents.ts';
import type { DocumentCase } from './document-case.ts';
import { editedDocuments, isDocumentName } from './edits.ts';

export interface LaidOut {
  readonly directory: string;
  readonly argv: readonly string[];
}

/** The files of a case in a fresh directory, and its command line. The directory's own name carries the mark. */
export function layOut(one: DocumentCase): LaidOut {
  const directory = mkdtempSync(join(tmpdir(), `svc-${MARK}-`));
  const uses = documentsOf(one);
  const documents = editedDocuments(one.edits, uses);
  const files = new Map<string, unknown>(Object.entries(BASE_FILES));
  for (const [name, document] of documents) files.set(FILE_NAMES[name], JSON.stringify(document));
  for (const [path, content] of Object.entries(one.files)) files.set(path, content);
  for (const [path, content] of files) put(join(directory, path), content);
  const line = one.line ?? [
    one.command,
    uses.includes('project') ? FILE_NAMES.project : FILE_NAMES.manifest,
    ...(uses.includes('host') ? ['--host-config', FILE_NAMES.host] : []),
    ...(uses.includes('override') ? ['--component-override-descriptor', FILE_NAMES.override] : []),
    ...one.argv,
  ];
  return { directory, argv: line };
}

export function removeLaidOut({ directory }: LaidOut): void {
  rmSync(directory, { recursive: true, force: true });
}

function documentsOf({ uses, edits }: DocumentCase): readonly DocumentName[] {
  const edited = Object.keys(edits)
    .map((edit) => edit.split(' ')[0] ?? '')
    .filter(isDocumentName);
  return [...new Set([...uses, ...edited])].filter((name) => name !== 'manifest');
}

/**
 * A text is a file; `{"$absent": []}` none, `{"$directory": ["755"]}` (0700 without a mode), `{"$fifo": []}` and
 * `{"$link": ["target"]}` what they say, `{"$base64": ["…"]}` bytes; any other value is generated and, unless a text,
 * written as JSON.
 */
function put(path: string, content: unknown): void {
  const [[kind, input] = ['', null]] = typeof content === 'object' && content !== null ? Object.entries(content) : [];
  const [argument] = Array.isArray(input) ? input.map(String) : [];
  if (kind === '$absent') return;
  mkdirSync(kind === '$directory' ? path : dirname(path), { recursive: true, mode: 0o700 });
  if (kind === '$directory') {
    chmodSync(path, Number.parseInt(argument ?? '700', 8));
    return;
  }
  if (kind === '$fifo') {
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path]);
  } else if (kind === '$link') {
    symlinkSync(argument ?? '', path);
  } else if (kind === '$base64') {
    writeFileSync(path, Buffer.from(argument ?? '', 'base64'));
  } else {
    const value = expanded(content);
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  }
}
