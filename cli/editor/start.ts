import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { thisMachine } from '../../supervisor/api/machine.ts';
import { PROGRAM_FILES } from '../../supervisor/platform/program-folder.ts';
import { Diagnoser } from './diagnose.ts';
import { JsonAssistant } from './json-assistant.ts';
import { TEXT_BYTES_MAX } from './open-documents.ts';
import { serveEditor } from './server.ts';
import { Workspace } from './workspace.ts';

/** Where the editor is, and the folder of the program, which is absolute. */
export interface EditorOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly programDirectory: string;
  readonly version: string;
  readonly signal: AbortSignal;
}

/** Serves one editor with the files of this machine; returns whether it ended in order. */
export async function startEditorServer(options: EditorOptions): Promise<boolean> {
  const machine = thisMachine(options.programDirectory);
  const folder = (name: string): string => join(options.programDirectory, name);
  return serveEditor({
    ...options,
    workspace: new Workspace(new Diagnoser(machine), folder(PROGRAM_FILES.libraries)),
    json: new JsonAssistant(folder(PROGRAM_FILES.schemas)),
    readFile: (path) => {
      try {
        return statSync(path).size <= TEXT_BYTES_MAX ? readFileSync(path, 'utf8') : null;
      } catch {
        return null;
      }
    },
  });
}
