'use strict';
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

/** Documents that svc knows by their names. */
const DOCUMENTS = '**/{svc,*.svc,svc-project,*.svc-project,svc-host,svc-host.*,*.svc-host,svc-gateway,*.svc-gateway}.json';

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
    },
  );
  await client.start();
};

exports.deactivate = () => client?.stop();
