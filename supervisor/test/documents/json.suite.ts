import { expect } from 'chai';
import { ACCEPTED, DECIDED, placed, REFUSED, REFUSED_WHOLE } from '../../../conformance/documents/corpus.ts';
import { loadWith, type Loaded, type Role } from './loaders.ts';

/** Around any JSON value: a good document with it in a free place, or with it where only an object belongs. */
const PLACES: Readonly<Record<Role, readonly [string, string]>> = {
  manifest: [
    '{"version":1,"workflow":{"components":[{"id":"main","path":"main.clj"}],"entry":"main/run"},"input":{"value":{}},"missions":{"m":{"data":{"v":',
    '}}}}',
  ],
  input: ['{"name":null,"v":', '}'],
  contract: ['{"type":"object","additionalProperties":true,"default":', '}'],
  project: ['{"kind":"svc-project","version":1,"application":', '}'],
  host: ['{"install":{},"runtime":', '}'],
  override: ['{"target":', '}'],
  gateway: ['{"version":', '}'],
};
const ROLES = Object.keys(PLACES).filter((role): role is Role => Object.hasOwn(PLACES, role));

/** Roles in whose place any JSON value is right. */
const FREE: ReadonlySet<Role> = new Set(['manifest', 'input', 'contract']);

/** How each role says that its bytes are no strict JSON. A project that is none is read as the application. */
const NO_JSON: Readonly<Record<Role, RegExp>> = {
  manifest: /^invalid_json: the application document is not strict JSON/u,
  input: /^invalid_json: the input document is not strict JSON/u,
  contract: /^contract_invalid: the input contract is not strict JSON/u,
  project: /^invalid_json: the application document is not strict JSON/u,
  host: /^host_invalid: the host document is not strict JSON/u,
  override: /^override_invalid: the component override is refused: field descriptor, rule syntax/u,
  gateway: /^config_invalid/u,
};

function brief(loaded: Loaded): string {
  switch (loaded.kind) {
    case 'loaded':
      return 'ok';
    case 'refused':
      return loaded.code;
    case 'diagnosed':
      return `${loaded.diagnostic.code}: ${loaded.diagnostic.message}`;
  }
}

async function verdict(role: Role, value: string | Uint8Array): Promise<string> {
  const [before, after] = PLACES[role];
  return brief(await loadWith(role, placed(before, value, after)));
}

for (const role of ROLES) {
  describe(`strict JSON as ${role}`, () => {
    it('takes what every parser takes', async () => {
      for (const value of ACCEPTED) {
        const reported = await verdict(role, value);
        if (FREE.has(role)) expect(reported, value.slice(0, 60)).to.equal('ok');
        else if (role !== 'gateway') expect(reported, value.slice(0, 60)).not.to.match(NO_JSON[role]);
      }
    });

    it('refuses what every parser refuses', async () => {
      for (const value of REFUSED) {
        for (const text of [value, `[${value}]`, `[0,${value},0]`, `{"k":${value}}`].filter(isRefusedByEngine)) {
          expect(await verdict(role, text), text).to.match(NO_JSON[role]);
        }
      }
    });

    it('decides what parsers decide for themselves', async () => {
      for (const [about, decided, value] of DECIDED) {
        const reported = await verdict(role, value);
        if (decided === 'refused') expect(reported, about).to.match(NO_JSON[role]);
        else if (FREE.has(role)) expect(reported, about).to.equal('ok');
      }
    });

    it('refuses whole documents that are none', async () => {
      for (const [about, bytes] of REFUSED_WHOLE) {
        expect(brief(await loadWith(role, bytes)), about).to.match(NO_JSON[role]);
      }
    });
  });
}

/** Some texts complete each other's places; the engine's parser knows which. */
function isRefusedByEngine(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}
