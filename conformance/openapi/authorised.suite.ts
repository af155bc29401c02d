import { expect } from 'chai';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { GO, logIn } from '../cli/log-in.ts';
import { browse } from '../servers/oauth/real.ts';
import { DOCUMENT, startAuthorisedApi, userEnvironment, type AuthorisedApi } from './authorised.ts';
import { ApiRoom, type ApiReport } from './room.ts';

describe('an API that people authorise (world.md §2.5, providers.md §7.9)', () => {
  let api: AuthorisedApi;
  let room: ApiRoom;
  beforeEach(async () => {
    api = await startAuthorisedApi();
    room = new ApiRoom({
      document: DOCUMENT,
      config: { allow: ['create-issue', 'get-issue'] },
      program: '[(:status (tool/create-issue {:body {"title" "A"}})) (get (:value (tool/get-issue {:id 1})) "title")]',
      installation: api.installation,
    });
  });
  afterEach(async () => {
    room.close();
    await api.close();
  });

  const logInToApi = async (): ReturnType<typeof logIn> => {
    const { directory } = room;
    const argv = ['api', '--host-config', 'svc-host.json'];
    return logIn({ argv, directory, environment: userEnvironment(directory) }, browse);
  };

  async function run(argv: readonly string[] = ['run', 'svc.json']): Promise<ApiReport> {
    rmSync(join(room.directory, 'envelope.json'), { force: true });
    return room.run(argv, userEnvironment(room.directory));
  }

  it('is asked about once, and every command uses what was granted', async () => {
    const refused = await run();
    expect(refused.code).to.equal('authorization_required');
    expect(refused.stderr).to.include('run svc auth login api');
    const login = await logInToApi();
    expect(login.status, login.stderr).to.equal(0);
    expect(JSON.parse(login.stdout)).to.deep.include({ name: 'api', state: 'usable', renewable: true });
    for (const report of [await run(), await run()]) {
      expect(report.status, report.stderr).to.equal(0);
      expect(report.value).to.deep.equal(['ok', 'A']);
      expect(report.stderr).not.to.match(GO);
      const reported = JSON.stringify([report.stdout, report.stderr, report.envelope]);
      expect([...api.authority.accessTokens].filter((token) => reported.includes(token))).to.deep.equal([]);
    }
    const doctor = await run(['doctor', 'svc.json', '--connect']);
    expect(doctor.status, doctor.stderr).to.equal(0);
    expect(api.authority.tokenRequests).to.deep.equal(['authorization_code']);
    expect(api.authority.counts.registrations).to.equal(1);
  });

  it('is asked with a new token where the old one has ended, and nobody is asked', async () => {
    api.authority.lifetime = 1;
    await logInToApi();
    api.authority.lifetime = 3600;
    for (const { value, stderr } of [await run(), await run()]) expect(value, stderr).to.deep.equal(['ok', 'A']);
    expect(api.authority.tokenRequests).to.deep.equal(['authorization_code', 'refresh_token']);
  });
});
