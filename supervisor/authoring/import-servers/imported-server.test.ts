import { expect } from 'chai';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { BoundCredentials } from './bound-credentials.ts';
import { readClientFile } from '../../documents/client-file/client-file.ts';
import { importServer, type ServerImport } from './imported-server.ts';

const PLACES = { workspace: '/work/app', home: '/home/ann', hostDirectory: '/work/app' };

function imported(fields: object, name = 'desk', credentials = new BoundCredentials(new Map())): ServerImport {
  const file = readClientFile(Buffer.from(JSON.stringify({ mcpServers: { [name]: fields } })));
  const [server] = file.ok ? file.servers : [];
  if (server === undefined) throw new Error('it has a server');
  return importServer(server, PLACES, credentials);
}

function transportOf(server: ServerImport): unknown {
  return server.ok ? JSON.parse(canonicalJson(server.installation)).transport : server.reason;
}

describe('a server of a client as an installation (world.md §2.3)', () => {
  const transports: readonly (readonly [string, object, unknown])[] = [
    [
      'over standard streams',
      { command: 'npx', args: ['-y', '@scope/server', '/data'] },
      { type: 'stdio', command: 'npx', args: ['-y', '@scope/server', '/data'] },
    ],
    [
      'with variables, whose values are bound',
      { type: 'stdio', command: 'server', env: { API_KEY: 'planted-secret', PORT: 8080 } },
      { type: 'stdio', command: 'server', env: { API_KEY: { binding: 'api-key' }, PORT: { binding: 'port' } } },
    ],
    [
      'with folders of its client',
      {
        command: './bin/server',
        args: ['--root=${workspaceFolder}', '${userHome}/notes'],
        cwd: '${workspaceFolder}/sub',
      },
      {
        type: 'stdio',
        command: '/work/app/sub/bin/server',
        args: ['--root=/work/app', '/home/ann/notes'],
        cwd: '/work/app/sub',
      },
    ],
    [
      'that reads its own variable in an argument',
      { command: 'npx', args: ['mcp-remote', 'https://a.example', '--header', 'X-Team:${TEAM}'], env: { TEAM: 'red' } },
      {
        type: 'stdio',
        command: 'npx',
        args: ['mcp-remote', 'https://a.example', '--header', 'X-Team:${TEAM}'],
        env: { TEAM: { binding: 'team' } },
      },
    ],
    ['over HTTP', { url: 'https://a.example/mcp' }, { type: 'streamable_http', endpoint: 'https://a.example/mcp' }],
    [
      'over HTTP with a token',
      { type: 'http', url: 'https://a.example/mcp', headers: { Authorization: 'Bearer planted-secret' } },
      {
        type: 'streamable_http',
        endpoint: 'https://a.example/mcp',
        auth: [{ scheme: 'bearer', binding: 'desk-token' }],
      },
    ],
    [
      'over HTTP with a key and headers that are written anyway',
      {
        type: 'streamable-http',
        url: 'https://a.example/mcp',
        headers: { 'X-Api-Key': 'planted-secret', 'Content-Type': 'application/json' },
      },
      {
        type: 'streamable_http',
        endpoint: 'https://a.example/mcp',
        auth: [{ scheme: 'api_key', binding: 'desk-x-api-key', header: 'X-Api-Key' }],
      },
    ],
    [
      'on this machine',
      { url: 'http://localhost:3000/mcp' },
      { type: 'streamable_http', endpoint: 'http://127.0.0.1:3000/mcp', allow_insecure_loopback: true },
    ],
  ];
  for (const [what, fields, transport] of transports)
    it(what, () => {
      const server = imported(fields);
      expect(transportOf(server)).to.deep.equal(transport);
      expect(JSON.stringify(server.ok ? [canonicalJson(server.installation), server.bound] : server)).not.to.include(
        'planted-secret',
      );
    });

  it('maps every tool as writing, asks a person about it, and shows it to models', () => {
    const server = imported({ command: 'a' });
    expect(server.ok ? JSON.parse(canonicalJson(server.installation)) : null).to.deep.include({
      source: 'mcp',
      installation_revision: 'r1',
      approval: 'writes',
      tools: { '*': { effect: 'write', model_visible: true } },
    });
  });

  const leftOut: Readonly<Record<string, readonly [object, RegExp, string?]>> = {
    'that is switched off': [{ command: 'a', disabled: true }, /switched off/],
    'of the old transport': [{ type: 'sse', url: 'https://a.example/sse' }, /sse/],
    'of another type': [{ type: 'ws', url: 'wss://a.example' }, /type/],
    'without command and address': [{}, /neither a command nor a url/],
    'with a secret as argument': [{ command: 'a', args: ['--api-key', 'planted-secret'] }, /args\[1\].*secret/],
    'that repeats a variable in an argument': [
      { command: 'a', args: ['--region=planted-secret'], env: { X: 'planted-secret' } },
      /args\[0\].*secret/,
    ],
    'with a reference as argument': [{ command: 'a', args: ['${input:key}'] }, /args\[0\] refers/],
    'with a reference in the command': [{ command: '${TOOL}' }, /command refers/],
    'with arguments that are none': [{ command: 'a', args: 'b' }, /args/],
    'with variables that are none': [{ command: 'a', env: { A: [] } }, /env/],
    'with a variable that cannot be': [{ command: 'a', env: { 'A B': 'x' } }, /env/],
    'with a secret in its address': [{ url: 'https://ann:planted-secret@a.example' }, /url may hold a secret/],
    'with a key in its address': [{ url: 'https://a.example/?apikey=planted-secret' }, /url may hold a secret/],
    'with a reference in its address': [{ url: 'https://${HOST}/' }, /url refers/],
    'in plain text of another machine': [{ url: 'http://a.example/mcp' }, /https/],
    'whose credentials would travel in plain text': [
      { url: 'http://127.0.0.1/mcp', headers: { 'X-Key': 'planted-secret' } },
      /https alone/,
    ],
    'of another scheme of authorisation': [
      { url: 'https://a.example', headers: { authorization: 'Digest planted-secret' } },
      /scheme/,
    ],
    'without a usable name': [{ command: 'a' }, /rename/, '日本'],
  };
  for (const [what, [fields, reason, name]] of Object.entries(leftOut))
    it(`is left out ${what}`, () => {
      const server = imported(fields, name);
      expect(server.ok ? '' : server.reason)
        .to.match(reason)
        .and.not.to.include('planted-secret');
    });

  it('says which variable is to be set, and for what', () => {
    const server = imported({
      url: 'https://a.example',
      headers: { Authorization: 'Bearer ${env:DESK_KEY}', 'X-Desk': '${input:team-id}' },
    });
    expect(server.ok ? server.bound : null).to.deep.equal([
      { credential: 'desk-key', variable: 'DESK_KEY', member: 'headers.Authorization' },
      { credential: 'svc-input-team-id', variable: 'SVC_INPUT_TEAM_ID', member: 'headers.X-Desk' },
    ]);
  });

  it('notes what is different', () => {
    const server = imported({ command: 'a', env: { PATH: '/x' }, envFile: '.env', oauth: {}, dev: {} });
    expect(server.ok ? server.notes.join('\n') : '')
      .to.match(/PATH is left out/)
      .and.to.match(/--env-file/)
      .and.to.match(/oauth, dev/)
      .and.to.match(/authorise/);
  });
});

describe('credentials of imported servers', () => {
  it('are one where servers share a value, and apart where they do not', () => {
    const credentials = new BoundCredentials(new Map());
    const variables = (['a', 'a', 'b'] as const).map((text, at) => {
      const server = imported({ command: 'x', env: { API_KEY: text } }, `s${at}`, credentials);
      return server.ok ? server.bound.map(({ variable, credential }) => [variable, credential].join(' ')) : [];
    });
    expect(variables).to.deep.equal([['API_KEY api-key'], ['API_KEY api-key'], ['S2_API_KEY s2-api-key']]);
  });

  it('are those that the host document has, and take no name of another', () => {
    const declared = new Map([
      ['mine', new Map([['env', 'API_KEY']])],
      ['token', new Map([['file', 'token.txt']])],
    ]);
    const credentials = new BoundCredentials(declared);
    const server = imported({ command: 'x', env: { API_KEY: 'a', TOKEN: 'b' } }, 'desk', credentials);
    expect(server.ok ? server.bound.map(({ credential }) => credential) : []).to.deep.equal(['mine', 'desk-token']);
    expect([...credentials.added.keys()]).to.deep.equal(['desk-token']);
  });
});

describe('the configuration of a client (world.md §2.3)', () => {
  for (const [what, text, names] of [
    ['.mcp.json, Claude Desktop, Cursor', '{"mcpServers": {"a": {}}}', ['a']],
    ['mcp.json of VS Code', '{"inputs": [], /* all */ "servers": {"b": {}, },}', ['b']],
    ['settings of VS Code', '{"mcp": {"servers": {"c": {}}}}', ['c']],
  ] as const)
    it(what, () => {
      const file = readClientFile(Buffer.from(text));
      expect(file.ok ? file.servers.map(({ name }) => name) : file.fault).to.deep.equal(names);
    });

  for (const [what, bytes, fault] of [
    ['no JSON', Buffer.from('{'), /broken/],
    ['no UTF-8', Buffer.from([0xff]), /UTF-8/],
    ['no servers', Buffer.from('{}'), /mcpServers/],
    ['a member twice', Buffer.from('{"mcpServers": {"a": {}, "a": {}}}'), /twice/],
    ['a server that is none', Buffer.from('{"mcpServers": {"a": 1}}'), /no object/],
    ['too much', Buffer.alloc(4_194_305, ' '), /larger/],
  ] as const)
    it(`is refused: ${what}`, () => {
      const file = readClientFile(bytes);
      expect(file.ok ? '' : file.fault).to.match(fault);
    });
});
