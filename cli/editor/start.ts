import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Readable, Writable } from 'node:stream';
import { thisMachine } from '../../supervisor/api/machine.ts';
import { PROGRAM_FILES } from '../../system/program-files.ts';
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

/**
 * A server is alive all day, and each key makes some megabytes of garbage; V8 would rather keep twice what is needed
 * than collect it, 300 MB where 150 do (bench/editor.ts). Not on the command line, where it would make Node refuse the
 * compiled form of the program.
 */
const V8_FLAGS = ['--semi-space-growth-factor=1', '--heap-growing-percent=20'];

/** Serves one editor with the files of this machine; returns whether it ended in order. */
export async function startEditorServer(options: EditorOptions): Promise<boolean> {
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
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
