/** Where a gateway listens, with TLS, behind a proxy and without pins; and pins that it writes (first-day.md §5). */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { runToEnd, type Ended } from '../../../conformance/cli/program.ts';
import { itWhere, type Need } from '../../../conformance/left-out.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { ENVIRONMENT, gatewayDirectory, messagesOf, modern, startTestGateway, type TestGateway } from './gateway.ts';

const PROGRAM = '(ns main)\n(defn run [input] {:value (get input "value")})\n';
const CHANGED = '(ns main)\n(defn run [input] {:value "changed"})\n';
const TOOLS = { echo: { program: PROGRAM }, other: { program: PROGRAM } };

const OPENSSL: Need = { isMet: hasOpenssl(), what: 'openssl (Debian package openssl)' };

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function makeCertificate(directory: string, name: string): void {
  execFileSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=gateway.example -addext subjectAltName=DNS:gateway.example,IP:127.0.0.1 -keyout ${name}.key -out ${name}.crt`.split(
      ' ',
    ),
    { cwd: directory, stdio: 'ignore' },
  );
  chmodSync(join(directory, `${name}.key`), 0o600);
}

describe('the address of a gateway (first-day.md §5)', () => {
  const refusals: readonly (readonly [argv: readonly string[], words: RegExp])[] = [
    [['--listen', '0.0.0.0'], /beyond loopback add --tls-cert FILE and --tls-key FILE, or --behind-proxy/],
    [['--listen', '::'], /beyond loopback add/],
    [['--listen', '192.0.2.1'], /beyond loopback add/],
    [['--listen', 'localhost'], /an IP address, for example 127\.0\.0\.1/],
    [['--listen', '0.0.0.0', '--dev', '--behind-proxy'], /conflicting_arguments/],
    [['--listen', '0.0.0.0', '--dev'], /--dev serves without pins, so it listens on 127\.0\.0\.1 or ::1 only/],
    [['--tls-cert', 'a'], /--tls-cert needs --tls-key/],
    [['--tls-key', 'a'], /--tls-key needs --tls-cert/],
    [['--tls-cert', 'a', '--tls-key', 'b', '--behind-proxy'], /conflicting_arguments/],
    [['--dev', '--write-pins'], /conflicting_arguments/],
    [['--dev', '--print-pins'], /conflicting_arguments/],
    [['--check', '--write-pins'], /conflicting_arguments/],
    [['--print-pins', '--write-pins'], /conflicting_arguments/],
  ];
  for (const [argv, words] of refusals)
    it(`is refused: ${argv.join(' ')}`, async () => {
      const { status, stdout, stderr } = await runToEnd({ argv: ['gateway', 'gateway.json', ...argv], directory: '/' });
      expect([status, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.match(words);
    });

  it('is beyond loopback behind a proxy, which names any host, and health answers there', async () => {
    const gateway = await startTestGateway({ tools: TOOLS }, ['--listen', '0.0.0.0', '--behind-proxy']);
    try {
      const { port } = gateway.url;
      expect(await statusOf(port, 'gateway.example')).to.equal(200);
      expect(await statusOf(port, '10.1.2.3:8080')).to.equal(200);
      expect(await statusOf(port, '[fd00::1]:80')).to.equal(200);
      for (const host of ['', 'a b', 'a/b', 'user@a', 'a:1:2']) expect(await statusOf(port, host), host).to.equal(400);
      const answer = await fetch(gateway.url, modern('tools/call', { name: 'echo', arguments: { value: 'x' } }));
      expect((await messagesOf(answer)).at(-1)).to.have.nested.property('result.structuredContent.value', 'x');
      const withoutBearer = await fetch(gateway.url, modern('tools/list', {}, { headers: { authorization: '' } }));
      expect(withoutBearer.status).to.equal(401);
      const foreign = await fetch(
        gateway.url,
        modern('tools/list', {}, { headers: { origin: 'https://evil.example' } }),
      );
      expect(foreign.status).to.equal(403);
    } finally {
      expect((await gateway.stop()).status).to.equal(0);
    }
  });

  it('is loopback otherwise, where a request names this machine', async () => {
    const gateway = await startTestGateway({ tools: TOOLS }, ['--listen', '127.0.0.1']);
    try {
      expect(await statusOf(gateway.url.port, 'gateway.example')).to.equal(400);
      expect(await statusOf(gateway.url.port, gateway.url.host)).to.equal(200);
    } finally {
      expect((await gateway.stop()).status).to.equal(0);
    }
  });
});

/** Of a bare request for health with this Host. */
async function statusOf(port: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(`GET /health/ready HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    });
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.once('close', () => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]));
    });
    socket.once('error', reject);
  });
}

describe('TLS of a gateway (first-day.md §5)', () => {
  let work: string;
  const prepare = (directory: string): void => {
    makeCertificate(directory, 'tls');
  };
  before(() => {
    work = makeWorkDirectory({});
  });
  after(() => {
    removeWorkDirectory(work);
  });

  /** Asks over TLS, trusting the certificate in the folder of the gateway alone. */
  async function ask(gateway: TestGateway, path: string, init: RequestInit = {}): Promise<readonly [number, string]> {
    return new Promise((resolve, reject) => {
      const requested = request(
        {
          host: '127.0.0.1',
          port: gateway.url.port,
          path,
          method: init.method ?? 'GET',
          ca: readFileSync(join(gateway.directory, 'tls.crt')),
          servername: 'gateway.example',
          headers: { ...Object(init.headers), host: 'gateway.example' },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          response.on('end', () => {
            resolve([response.statusCode ?? 0, text]);
          });
        },
      );
      requested.once('error', reject);
      requested.end(init.body);
    });
  }

  itWhere(OPENSSL, 'serves beyond loopback, and speaks nothing else', async () => {
    const options = ['--listen', '0.0.0.0', '--tls-cert', 'tls.crt', '--tls-key', 'tls.key'];
    const gateway = await startTestGateway({ tools: TOOLS }, options, prepare);
    try {
      expect(await ask(gateway, '/health/ready')).to.deep.equal([200, '{"status":"ready"}']);
      // Read once: what becomes of the files later changes nothing.
      writeFileSync(join(gateway.directory, 'tls.key'), '');
      const [status, text] = await ask(
        gateway,
        '/mcp',
        modern('tools/call', { name: 'echo', arguments: { value: 'x' } }),
      );
      expect([status, text]).to.deep.equal([200, text]);
      expect(text).to.include('"structuredContent":{"value":"x"}');
      expect(await statusOf(gateway.url.port, 'gateway.example').catch(() => Number.NaN)).not.to.equal(200);
      // Sockets that only hold on do not keep others from being served.
      const sockets = Array.from({ length: 200 }, () => connect(Number(gateway.url.port), '127.0.0.1'));
      for (const socket of sockets) socket.on('error', () => undefined);
      expect((await ask(gateway, '/health/live'))[0]).to.equal(200);
      for (const socket of sockets) socket.destroy();
    } finally {
      expect((await gateway.stop()).status).to.equal(0);
    }
  });

  itWhere(OPENSSL, 'is refused with files that others may use, or that do not belong together', async () => {
    const { directory } = await gatewayDirectory({ tools: TOOLS });
    makeCertificate(directory, 'tls');
    makeCertificate(directory, 'second');
    const start = async (cert: string, key: string): Promise<Ended> =>
      runToEnd({
        argv: ['gateway', 'gateway.json', '--check', '--tls-cert', cert, '--tls-key', key],
        directory,
        environment: ENVIRONMENT,
      });
    try {
      expect((await start('tls.crt', 'tls.key')).status).to.equal(0);
      const refusals: readonly (readonly [string, string, () => void, RegExp])[] = [
        ['tls.crt', 'second.key', () => undefined, /tls_files_unfit \(--tls-cert and --tls-key: they are not/],
        ['tls.crt', 'absent.key', () => undefined, /tls_key_unusable \(--tls-key: it cannot be opened\)/],
        ['.', 'tls.key', () => undefined, /tls_certificate_unusable \(--tls-cert: it is not a file\)/],
        ['tls.crt', 'tls.key', () => chmodSync(join(directory, 'tls.key'), 0o644), /others may read or change it/],
        ['tls.crt', 'second.key', () => chmodSync(join(directory, 'tls.crt'), 0o666), /others may change it/],
      ];
      for (const [cert, key, change, words] of refusals) {
        change();
        const { status, stdout, stderr } = await start(cert, key);
        expect([status, stdout, stderr.split('\n')[0]], String(words)).to.deep.equal([
          78,
          '',
          '{"error":"listener_unavailable"}',
        ]);
        expect(stderr).to.match(words).and.not.to.include(directory);
      }
    } finally {
      removeWorkDirectory(directory);
    }
  });
});

describe('pins of a gateway (first-day.md §5)', () => {
  it('are written into the document, which stays what it was else', async () => {
    const { directory } = await gatewayDirectory({ tools: TOOLS });
    try {
      const path = join(directory, 'gateway.json');
      const write = async (file = 'gateway.json'): Promise<Ended> =>
        runToEnd({ argv: ['gateway', file, '--write-pins'], directory });
      const pinned = readFileSync(path, 'utf8');
      expect((await write()).stdout).to.equal('{"changed":[],"unchanged":["echo","other"]}\n');
      expect(readFileSync(path, 'utf8')).to.equal(pinned);
      writeFileSync(join(directory, 'echo/main.clj'), CHANGED);
      chmodSync(path, 0o640);
      symlinkSync('gateway.json', join(directory, 'link.json'));
      const { status, stdout } = await write('link.json');
      expect([status, stdout]).to.deep.equal([0, '{"changed":["echo"],"unchanged":["other"]}\n']);
      const after = readFileSync(path, 'utf8');
      const digests = (text: string): readonly string[] => text.match(/sha256:[0-9a-f]{64}/g) ?? [];
      expect(after).to.not.equal(pinned);
      expect(after.replaceAll(/sha256:[0-9a-f]{64}/g, '')).to.equal(pinned.replaceAll(/sha256:[0-9a-f]{64}/g, ''));
      expect(digests(after)[1]).to.equal(digests(pinned)[1]);
      expect(statSync(path).mode & 0o777).to.equal(0o640);
      expect(
        await runToEnd({ argv: ['gateway', 'gateway.json', '--check'], directory, environment: ENVIRONMENT }),
      ).to.include({ status: 0 });
    } finally {
      removeWorkDirectory(directory);
    }
  });

  it('are not written where a tool cannot be opened', async () => {
    const { directory } = await gatewayDirectory({ tools: TOOLS });
    try {
      writeFileSync(join(directory, 'other/main.clj'), '(ns main');
      const before = readFileSync(join(directory, 'gateway.json'), 'utf8');
      const { status, stdout } = await runToEnd({ argv: ['gateway', 'gateway.json', '--write-pins'], directory });
      expect([status, stdout]).to.deep.equal([78, '']);
      expect(readFileSync(join(directory, 'gateway.json'), 'utf8')).to.equal(before);
    } finally {
      removeWorkDirectory(directory);
    }
  });

  it('are not looked at with --dev, which says so', async () => {
    const gateway = await startTestGateway({ tools: TOOLS }, ['--dev'], (directory) => {
      writeFileSync(join(directory, 'echo/main.clj'), CHANGED);
    });
    try {
      const answer = await fetch(gateway.url, modern('tools/call', { name: 'echo', arguments: { value: 'x' } }));
      expect((await messagesOf(answer)).at(-1)).to.have.nested.property('result.structuredContent.value', 'changed');
    } finally {
      const { status, stderr } = await gateway.stop();
      expect(status).to.equal(0);
      expect(stderr).to.equal('warning: --dev: pins are not checked, whatever the applications are now is served\n');
    }
  });
});
