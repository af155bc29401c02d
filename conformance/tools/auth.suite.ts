import { expect } from 'chai';
import { chmodSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GO, logIn, watchTerminal } from '../cli/log-in.ts';
import { runToEnd, type Ended } from '../cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { CERTIFICATES } from '../servers/http/listen.ts';
import type { ToolServer } from '../servers/mcp-http/server.ts';
import { browse, startRealAuthority, type RealAuthority } from '../servers/oauth/real.ts';
import { agree, visit } from '../servers/oauth/robot.ts';
import { startAuthority, type Authority, type AuthorityScript } from '../servers/oauth/server.ts';
import { startAuthorisedServer } from './authorised.ts';
import { ToolRoom, type ToolReport } from './room.ts';

type Members = Readonly<Record<string, unknown>>;

/** An application with a server of tools that an authority protects, and the folder of what its user granted. */
class AuthRoom {
  readonly room: ToolRoom;
  readonly server: ToolServer;
  readonly home: string;
  readonly #close: () => Promise<unknown>;

  private constructor(room: ToolRoom, server: ToolServer, close: () => Promise<unknown>) {
    [this.room, this.server, this.#close] = [room, server, close];
    this.home = makeWorkDirectory({});
  }

  static async open(authority: Authority | RealAuthority, oauth: Members = {}): Promise<AuthRoom> {
    const { server, installation, close } = await startAuthorisedServer(authority, oauth);
    const room = new ToolRoom({
      script: { steps: [] },
      config: { allow: ['look-up'] },
      installation,
      host: { credentials: { key: { env: 'CLIENT_SECRET' } } },
    });
    return new AuthRoom(room, server, close);
  }

  get #environment(): Readonly<Record<string, string>> {
    return {
      SSL_CERT_FILE: join(CERTIFICATES, 'authority.pem'),
      XDG_STATE_HOME: this.home,
      CLIENT_SECRET: 'sesame',
    };
  }

  async auth(...argv: readonly string[]): Promise<Ended> {
    return runToEnd({ argv: ['auth', ...argv], directory: this.room.directory, environment: this.#environment });
  }

  /** With a person who follows the address that the terminal shows. */
  async login(follow: (address: string) => Promise<unknown>, ...argv: readonly string[]): Promise<Ended> {
    const { directory } = this.room;
    return logIn({ argv: ['desk', ...argv], directory, environment: this.#environment }, follow);
  }

  async run(...argv: readonly string[]): Promise<ToolReport> {
    const input = argv.length === 0 ? ['run', 'svc.json'] : argv;
    rmSync(join(this.room.directory, 'envelope.json'), { force: true });
    return this.room.report(await this.room.run(input, this.#environment));
  }

  async command(...argv: readonly string[]): Promise<Ended> {
    return runToEnd({ argv, directory: this.room.directory, environment: this.#environment });
  }

  get folder(): string {
    return join(this.home, 'svc/grants');
  }

  get grantFile(): string {
    return globSync(join(this.folder, '*/v*')).toSorted().at(-1) ?? '';
  }

  async close(): Promise<void> {
    this.room.close();
    removeWorkDirectory(this.home);
    await this.#close();
  }
}

const follow = async (address: string): Promise<unknown> => visit(await agree(address));

describe('what a user granted (world.md §2.5)', () => {
  let room: AuthRoom;
  afterEach(async () => room.close());

  describe('of an authorisation server that nobody here wrote', () => {
    it('is asked for once, by a client that registered itself, and every command uses it', async () => {
      const authority = await startRealAuthority();
      room = await AuthRoom.open(authority);
      let page = { status: 0, text: '' };
      const login = await room.login(async (address) => {
        page = await browse(address);
      });
      expect(login.status, login.stderr).to.equal(0);
      expect(page.status).to.equal(200);
      expect(page.text).to.include('go back to the terminal');
      expect(JSON.parse(login.stdout)).to.deep.include({ name: 'desk', state: 'usable', renewable: true });
      for (const report of [await room.run(), await room.run()]) {
        expect(report.status, report.stderr).to.equal(0);
        expect(report.value).to.deep.equal({ status: 'ok', value: { text: ['sunny'] } });
        expect(report.stderr).not.to.match(GO);
      }
      expect(await room.run('catalog', 'desk')).to.deep.nested.include({ 'envelope.result.tool_count': 1 });
      const doctor = await room.run('doctor', 'svc.json', '--connect');
      expect(doctor.status, doctor.stderr).to.equal(0);
      expect(doctor.envelope['result'])
        .to.deep.nested.property('checks')
        .to.deep.include({ name: 'provider/desk/authorization', status: 'pass', code: 'available' });
      const code = await room.command('code', 'svc.json', '--host-config', 'svc-host.json', '--check');
      expect(code.status, code.stderr).to.equal(0);
      expect(code.stdout).to.match(/^desk +ready +1 /m);
      expect(authority.tokenRequests).to.deep.equal(['authorization_code']);
      expect(authority.counts.registrations).to.equal(1);
    });

    it('is renewed once for ten runs that need it at the same time', async () => {
      const authority = await startRealAuthority();
      room = await AuthRoom.open(authority);
      authority.lifetime = 1;
      await room.login(browse);
      authority.lifetime = 3600;
      const runs = Array.from({ length: 10 }, (_, at) =>
        room.command('run', 'svc.json', '--host-config', 'svc-host.json', '--envelope', `envelope-${at}.json`),
      );
      for (const { status, stdout, stderr } of await Promise.all(runs)) {
        expect(status, stderr).to.equal(0);
        expect(stdout).to.include('sunny');
      }
      expect(authority.tokenRequests).to.deep.equal(['authorization_code', 'refresh_token']);
    });

    it('is ended at both sides', async () => {
      const authority = await startRealAuthority();
      room = await AuthRoom.open(authority);
      await room.login(browse);
      const { stdout } = await room.auth('logout', 'desk');
      expect(JSON.parse(stdout)).to.deep.equal({ ended: [{ endpoint: room.server.url, revocation: 'revoked' }] });
      expect(authority.counts.revocations).to.equal(1);
      expect((await room.run()).envelope).to.deep.nested.include({ 'error.code': 'authorization_required' });
      expect(JSON.parse((await room.auth('list')).stdout)).to.deep.equal({ grants: [] });
    });
  });

  async function opened(script: AuthorityScript = {}, oauth: Members = {}): Promise<Authority> {
    const authority = await startAuthority({ script, tls: 'trusted' });
    room = await AuthRoom.open(authority, oauth);
    return authority;
  }

  it('is listed without anything secret', async () => {
    await opened();
    expect((await room.auth('list')).stdout).to.equal('{"grants":[]}\n');
    await room.login(follow);
    const { stdout, stderr } = await room.auth('list');
    expect(JSON.parse(stdout).grants).to.have.length(1);
    expect(JSON.parse(stdout).grants[0]).to.deep.include({
      name: 'desk',
      state: 'usable',
      endpoint: room.server.url,
      scopes: ['read', 'offline_access'],
      renewable: true,
    });
    expect(stdout + stderr).not.to.match(/access-|refresh-/);
    expect(readFileSync(room.grantFile, 'utf8')).not.to.match(/access-|refresh-|127\.0\.0\.1/);
  });

  it('is asked for again by name where the authority has ended it', async () => {
    const authority = await opened({
      tokens: [{ members: { expires_in: 1 } }, { status: 400, body: '{"error":"invalid_grant"}' }],
    });
    await room.login(follow);
    const { envelope, stderr } = await room.run();
    expect(envelope).to.deep.nested.include({
      'error.code': 'authorization_required',
      'error.subject.name': 'desk',
    });
    expect(stderr).to.include('run svc auth login desk');
    expect(authority.forms).to.have.length(2);
    expect((await room.run()).stderr).to.include('run svc auth login desk');
    expect(authority.forms, 'nothing is tried twice').to.have.length(2);
    await room.login(follow);
    expect((await room.run()).status).to.equal(0);
  });

  it('of a client with a secret, which is sent in the form', async () => {
    const post = { members: { token_endpoint_auth_methods_supported: ['client_secret_post'] } };
    const authority = await opened(
      { metadata: { '/.well-known/oauth-authorization-server': post }, tokens: [{ members: { expires_in: 1 } }] },
      {
        client: {
          registration: 'pre_registered',
          auth_method: 'client_secret_post',
          client_id: 'me',
          client_secret_binding: 'key',
          grant_types: ['authorization_code', 'refresh_token'],
          loopback_redirect: { host: '127.0.0.1', path: '/back' },
        },
      },
    );
    const login = await room.login(follow);
    expect(login.status, login.stderr).to.equal(0);
    expect((await room.run()).status).to.equal(0);
    expect((await room.auth('logout', 'desk')).status).to.equal(0);
    expect(authority.forms).to.have.length(2);
    for (const form of authority.forms) expect(form).to.deep.include({ client_id: 'me', client_secret: 'sesame' });
    expect(authority.revoked).to.have.length(1);
  });

  it('is asked for beside one run, for that run alone, where the command says so', async () => {
    const authority = await opened();
    await room.login(follow);
    const started = room.room.start(['run', 'svc.json', '--authorize-mcp', 'desk'], {
      SSL_CERT_FILE: join(CERTIFICATES, 'authority.pem'),
      XDG_STATE_HOME: room.home,
    });
    await follow((await watchTerminal(started).address()) ?? expect.fail('nobody is sent anywhere'));
    expect((await started.ended).status).to.equal(0);
    const used = room.server.requests.flatMap(({ headers: { authorization } }) => authorization ?? []);
    expect(new Set(used)).to.deep.equal(new Set([authority.issued[1]]));
  });

  describe('is refused, with nothing lost,', () => {
    const spoilt: Readonly<Record<string, readonly [() => void, RegExp]>> = {
      'where others may read it': [() => chmodSync(room.grantFile, 0o644), /must be yours alone/],
      'where others may look into its folder': [() => chmodSync(room.folder, 0o755), /chmod 700/],
      'where it is damaged': [
        () => writeFileSync(room.grantFile, readFileSync(room.grantFile).subarray(0, 99)),
        /it was changed, or sealed with another key/,
      ],
    };
    for (const [what, [spoil, words]] of Object.entries(spoilt)) {
      it(what, async () => {
        const authority = await opened();
        await room.login(follow);
        spoil();
        const [file, before] = [room.grantFile, readFileSync(room.grantFile)];
        const { envelope, stderr } = await room.run();
        expect(envelope).to.deep.nested.include({ 'error.code': 'authorization_unavailable' });
        expect(stderr).to.match(words).and.include(room.folder);
        expect(readFileSync(file)).to.deep.equal(before);
        expect(authority.forms).to.have.length(1);
      });
    }

    it('where it was taken from another user', async () => {
      const authority = await opened();
      await room.login(follow);
      const theirs = makeWorkDirectory({});
      try {
        cpSync(room.folder, theirs, { recursive: true });
        const id = /([0-9a-f]{64})\/v/.exec(room.grantFile)?.[1] ?? '';
        rmSync(room.folder, { recursive: true });
        await room.login(follow);
        rmSync(join(room.folder, id), { recursive: true });
        writeFileSync(join(room.folder, 'key'), `${'ab'.repeat(32)}\n`, { mode: 0o600 });
        cpSync(join(theirs, id), join(room.folder, id), { recursive: true });
        expect((await room.run()).stderr).to.include('must be yours alone');
        chmodSync(join(room.folder, id), 0o700);
        chmodSync(room.grantFile, 0o600);
        const { envelope, stderr } = await room.run();
        expect(envelope).to.deep.nested.include({ 'error.code': 'authorization_unavailable' });
        expect(stderr).to.include('sealed with another key');
        const again = await room.login(follow);
        expect(again.stderr).to.match(/a damaged grant stood in its place and was moved to .*\.damaged-/);
        expect((await room.run()).status).to.equal(0);
        expect(authority.forms).to.have.length(3);
      } finally {
        removeWorkDirectory(theirs);
      }
    });
  });

  it('is not asked for where it could not be kept, or nobody knows the name', async () => {
    const authority = await opened();
    const nowhere = await runToEnd({
      argv: ['auth', 'login', 'desk'],
      directory: room.room.directory,
      environment: { HOME: '' },
    });
    expect(nowhere.stderr).to.include('set SVC_GRANTS_DIR');
    expect(nowhere.status).to.equal(4);
    expect((await room.auth('login', 'other')).stderr)
      .to.include('provider_unknown')
      .and.include('write desk');
    expect((await room.auth('login', 'desk', '--host-config', 'none.json')).stderr).to.include('host_unavailable');
    expect(authority.requests).to.deep.equal([]);
    expect(JSON.parse((await room.auth('logout', 'desk')).stdout)).to.deep.equal({ ended: [] });
  });

  it('is asked for by the right words alone', async () => {
    await opened();
    for (const argv of [['login'], ['logout'], ['list', 'desk'], ['other'], [], ['list', '--host-config', 'x']]) {
      const { status, stderr } = await room.auth(...argv);
      expect(status, argv.join(' ')).to.equal(2);
      expect(stderr).to.include('arguments');
    }
  });
});
