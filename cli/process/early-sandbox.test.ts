import { expect } from 'chai';
import { ConfigurationFault } from '../../system/configuration/fault.ts';
import { NO_SANDBOX, startSandboxEarly } from './early-sandbox.ts';

async function faultOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return null;
  } catch (error) {
    return error;
  }
}

describe('the sandbox that starts early', () => {
  it('tells a bad setting to whoever asks for the sandbox, and closes all the same', async () => {
    const early = await startSandboxEarly('/nowhere', { SVC_ISOLATES_PER_HOST: 'many' });
    const fault = await faultOf(early.sandbox());
    expect(fault).to.be.instanceOf(ConfigurationFault);
    expect(String(fault)).to.include('SVC_ISOLATES_PER_HOST').and.not.include('many');
    await early.close();
  });

  it('is absent for commands that evaluate nothing', async () => {
    expect(await faultOf(NO_SANDBOX.sandbox())).to.be.instanceOf(Error);
    await NO_SANDBOX.close();
  });
});
