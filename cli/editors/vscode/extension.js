'use strict';
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

/** Documents that svc knows by their names. */
const DOCUMENTS = '**/{svc,*.svc,svc-project,*.svc-project,svc-host,svc-host.*,*.svc-host,svc-gateway,*.svc-gateway}.json';

/** The editor itself completes, explains and lays out JSON, by the schemas of this folder: once is enough. */
const notOfJson = (place) => (document, ...rest) => {
  const next = rest[place];
  return document.languageId.startsWith('json') ? null : next(document, ...rest.slice(0, place));
};

let client;

exports.activate = async () => {
  const command = workspace.getConfiguration('svc').get('path', 'svc');
  client = new LanguageClient(
    'svc',
    'svc',
    { command, args: ['lsp'] },
    {
      documentSelector: [
        { scheme: 'file', language: 'svc-lisp' },
        { scheme: 'file', pattern: DOCUMENTS },
      ],
      middleware: {
        provideCompletionItem: notOfJson(3),
        provideHover: notOfJson(2),
        provideDocumentFormattingEdits: notOfJson(2),
        provideDocumentRangeFormattingEdits: notOfJson(3),
        provideDocumentSymbols: notOfJson(1),
      },
    },
  );
  await client.start();
};

exports.deactivate = () => client?.stop();
