import type { TargetDocument } from '../../supervisor/api/history.ts';

/** Which document could not be read, and what to do: its role, since names are the caller's text. */
export const DOCUMENT_HINTS: Readonly<Record<TargetDocument, string>> = {
  named_document:
    'it is the document that the command names; check the name, or make an application with svc init my-app',
  unreadable_document: 'it is the document that the command names; name a regular file that you may read, not a folder',
  project_application:
    'it is the application that the project names; correct application.path, which is relative to the project',
  unreadable_application:
    'it is the application that the project names; it must be a regular file that you may read, and no link may lead out of its folder',
  named_host:
    'it is the document that --host-config names; check the name, and that it is a regular file that you may read',
  project_host:
    'it is the host document that the project names; correct host.path, which is relative to the project and names a regular file',
  named_input:
    'it is the input that the command names, looked for in the folder of the application and in the working directory; check the name',
  streamed_input: 'it is the input from standard input; pipe one JSON object into the command',
};
