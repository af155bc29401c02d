import { expect } from 'chai';
import { plainFromJson } from '../../contract/json/plain.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { SnapshotFacts } from '../../contract/provider-protocol/session.ts';
import { load, MANIFEST } from '../documents/testing/application-tree.ts';
import { host, TRACE } from '../documents/testing/hosts.ts';
import type { Occurrence } from './source/installed-provider.ts';
import { providerSnapshot } from './provider-snapshot.ts';

describe('the snapshot of a provider (providers.md §2)', () => {
  let occurrence: Occurrence;
  before(async () => {
    const loaded = await load({
      manifest: { ...MANIFEST, providers: { mission: [{ name: 'traces' }] } },
      host: host({ traces: TRACE }),
    });
    const [selected] = loaded.ok ? loaded.value.providers.mission : [];
    if (selected === undefined) throw new Error('it is selected');
    occurrence = selected;
  });

  const DIGEST = `sha256:${'0'.repeat(64)}` as const;
  const captured = (captureId: string, runs: number): JsonObject =>
    new Map<string, JsonValue>([
      ['source', 'svc_trace_snapshot'],
      ['capture_id', captureId],
      ['runs', runs],
    ]);
  const snapshotMembers = (facts: Partial<SnapshotFacts<JsonObject>>) =>
    Object(
      plainFromJson(
        providerSnapshot(
          occurrence,
          { acquisition: captured('c1', 1), unidentified: ['capture_id', 'runs'], contentHash: null, ...facts },
          DIGEST,
        ),
      ),
    );

  it('tells declaration, acquisition and their hashes', () => {
    const { declaration, acquisition, ...hashes } = snapshotMembers({});
    expect(declaration).to.include({
      name: 'traces',
      source: 'svc_trace_snapshot',
      installation_revision: 'r1',
      data_class: 'normal',
      authorization_mode: 'none',
    });
    expect(acquisition).to.deep.equal({ source: 'svc_trace_snapshot', capture_id: 'c1', runs: 1 });
    expect(Object.keys(hashes)).to.deep.equal([
      'acquisition_identity_hash',
      'installation_config_digest',
      'snapshot_hash',
    ]);
  });

  it('has one identity for every capture of one content', () => {
    const [first, second] = [snapshotMembers({}), snapshotMembers({ acquisition: captured('c2', 2) })];
    expect(first.acquisition_identity_hash).to.equal(second.acquisition_identity_hash);
    expect(first.snapshot_hash).not.to.equal(second.snapshot_hash);
    expect(snapshotMembers({ unidentified: [] }).acquisition_identity_hash).not.to.equal(
      first.acquisition_identity_hash,
    );
  });

  it('names the content where that has a digest', () => {
    expect(snapshotMembers({ contentHash: DIGEST })).to.include({ content_snapshot_hash: DIGEST });
  });
});
