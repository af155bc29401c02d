/**
 * Digests against recorded vectors (documents.md §10). The vectors were computed from the text of the specification
 * by a program that shares no code with this one; a change of any of them is a change of every published digest.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseJsonText, documentLimits } from '../../../contract/json/parse.ts';
import { valueOf } from '../../../contract/json/node.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { compileContract } from '../../documents/contracts/compile.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import { loadHost } from '../../documents/host/load.ts';
import { bundleHash } from '../../documents/identity/bundle.ts';
import { identityDigest, identityHex, jsonDigest, sha256Hex } from '../../documents/digest.ts';
import { configDigest, installationIdentity } from '../../documents/identity/installation.ts';
import { oauthFingerprint } from '../../documents/identity/oauth.ts';
import { load } from '../../documents/testing/application-tree.ts';
import { memoryFileSystem } from '../../documents/testing/memory-file-system.ts';
import { validateResult } from '../../application/preflight/validate-result.ts';
import type { Vectors } from './vectors.ts';

const vectors: Vectors = JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8'));

function json(text: string): JsonValue {
  const parsed = parseJsonText(text, documentLimits(1_000_000));
  if (!parsed.ok) throw new Error(`a vector holds no JSON: ${text}`);
  return valueOf(parsed.root);
}

describe('typed digests', () => {
  for (const { domain, json: text, hex } of vectors.typed) {
    it(`${domain} of ${text}`, () => {
      expect(identityHex(domain, json(text))).to.equal(hex);
    });
  }
});

describe('digests of canonical JSON', () => {
  for (const { json: text, digest } of vectors.canonical) {
    it(text, () => {
      expect(jsonDigest(json(text))).to.equal(digest);
    });
  }
});

describe('bundle hashes', () => {
  for (const { components, hex } of vectors.bundles) {
    it(components.map(({ id }) => id).join(', '), () => {
      const hashed = components.map(({ id, source, dependencies }) => ({
        id,
        dependencies,
        sourceHash: sha256Hex(source),
      }));
      expect(bundleHash(hashed)).to.equal(hex);
    });
  }
});

describe('behaviour hashes of contracts', () => {
  for (const { schema, digest } of vectors.contracts) {
    it(schema.slice(0, 60), () => {
      const compiled = compileContract(json(schema));
      if (!compiled.ok) throw new Error(compiled.faults[0].rule);
      expect(identityDigest('svc.contract.v1', compiled.schema.behaviour)).to.equal(digest);
    });
  }
});

describe('configuration digests of installations', () => {
  for (const { host, alias, digest } of vectors.installations) {
    it(alias, async () => {
      const reader = createDocumentReader(memoryFileSystem({ '/host.json': host }), '/');
      const loaded = await loadHost(reader, { kind: 'named', path: '/host.json' });
      if (!loaded.ok) throw new Error(loaded.diagnostic.message);
      const installation = loaded.value.document.install.get(alias);
      if (installation === undefined) throw new Error(`the vector installs no ${alias}`);
      expect(configDigest(installationIdentity(installation))).to.equal(digest);
    });
  }
});

describe('fingerprints of OAuth blocks', () => {
  for (const { name, host, fingerprint, config } of vectors.oauth) {
    it(name, async () => {
      const reader = createDocumentReader(memoryFileSystem({ '/host.json': host }), '/');
      const loaded = await loadHost(reader, { kind: 'named', path: '/host.json' });
      if (!loaded.ok) throw new Error(loaded.diagnostic.message);
      const tools = loaded.value.document.install.get('tools');
      if (tools?.source !== 'mcp' || !('oauth' in tools.transport) || tools.transport.oauth === undefined)
        throw new Error('the vector has no OAuth block');
      expect(oauthFingerprint(tools.transport.oauth)).to.equal(fingerprint);
      expect(configDigest(installationIdentity(tools))).to.equal(config);
    });
  }
});

describe('application digests', () => {
  for (const vector of vectors.applications) {
    it(vector.name, async () => {
      const files = Object.fromEntries(Object.entries(vector.files).map(([path, text]) => [`/app/${path}`, text]));
      const application = await load({
        manifest: vector.manifest,
        files,
        ...(vector.host === null ? {} : { host: vector.host }),
      });
      if (!application.ok) throw new Error(application.diagnostic.message);
      expect(validateResult(application.value)).to.deep.include({
        application_content_digest: vector.content,
        effective_application_digest: vector.effective,
        workflow_bundle_hash: vector.workflow_bundle,
        mission_bundle_hashes: vector.mission_bundles,
        installation_config_digests: vector.config,
      });
    });
  }
});
