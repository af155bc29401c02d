/** The references of the documents: their fields from the tables that the loaders read. */
import { object, type ChoiceShape, type Shape } from '../../supervisor/documents/fields/shape.ts';
import { GATEWAY } from '../../supervisor/documents/gateway/fields.ts';
import { HOST } from '../../supervisor/documents/host/fields.ts';
import { INSTALLATION } from '../../supervisor/documents/host/sources/table.ts';
import { MCP_TRANSPORT, OAUTH } from '../../supervisor/documents/host/mcp-fields.ts';
import { MANIFEST } from '../../supervisor/documents/manifest/fields.ts';
import { PROJECT } from '../../supervisor/documents/project/fields.ts';
import type { StartCode } from '../../supervisor/gateway/start/codes.ts';
import { fromTemplate } from './template.ts';

/** `svc.json`. Its limits have a page of their own. */
export function manifestPage(): string {
  return fromTemplate('manifest', { shapes: { manifest: MANIFEST }, omitted: ['limits.'] });
}

/** `svc-project.json`. */
export function projectPage(): string {
  return fromTemplate('project', { shapes: { project: PROJECT } });
}

/** Fields that every installation has; its own section leaves them out. */
const COMMON = ['source', 'installation_revision', 'data_class', 'accepts_data'];

/** `svc-host.json`: a table for each source, by its word; sources of one form have one, by the first of their words. */
export function hostPage(): string {
  const shapes = {
    host: HOST,
    common: object(Object.fromEntries(COMMON.map((name) => [name, fieldOf(INSTALLATION.branches[0], name)]))),
    stdio: choiceOf(MCP_TRANSPORT.branches.slice(0, 1)),
    http: choiceOf(MCP_TRANSPORT.branches.slice(1)),
    oauth: OAUTH,
    ...Object.fromEntries(
      [...Map.groupBy(INSTALLATION.branches, sourceOf)].map(([source, branches]) => [source, own(branches)]),
    ),
  };
  return fromTemplate('host', { shapes, omitted: ['limits.', 'install.', 'transport.', 'oauth.'] });
}

type Branch = ChoiceShape['branches'][number];

/** The word of an installation's form; of several, the first. */
function sourceOf(branch: Branch): string {
  const shape: Shape = fieldOf(branch, 'source').shape;
  const [source] = shape.kind === 'enum' ? shape.values : [];
  if (typeof source !== 'string') throw new Error('a form of an installation without a source');
  return source;
}

function fieldOf(branch: Branch, name: string) {
  const field = branch.fields[name];
  if (field === undefined) throw new Error(`no field ${name} of an installation`);
  return field;
}

/** The installations of one source, without what all have. */
function own(branches: readonly Branch[]): ChoiceShape {
  return choiceOf(
    branches.map((branch) =>
      object(Object.fromEntries(Object.entries(branch.fields).filter(([name]) => !COMMON.includes(name)))),
    ),
  );
}

function choiceOf(of: ChoiceShape['branches']): ChoiceShape {
  return { kind: 'choice', discriminator: null, branches: of };
}

const START_CODES: Readonly<Record<StartCode, string>> = {
  config_unavailable: 'the file cannot be read, is no JSON, or is too large',
  duplicate_json_key: 'a key stands twice in one object',
  config_invalid: 'a field breaks the table above',
  origin_invalid: 'an allowed origin is none',
  tool_name_duplicate: 'two tools have one name',
  audit_invalid: '`private_audit` without a tool that may write, or the other way',
  host_invalid: 'the host file is not there or not as it must be',
  credential_unavailable: 'the bearer is no `env` or `file` credential, or a credential cannot be read',
  artifact_root_unavailable: 'the folder of artifacts is not as it must be',
  template_invalid: 'an application does not load, or cannot be a tool',
  provider_source_unsupported: 'an application selects what a gateway does not serve',
  application_content_digest_mismatch: 'an application is not the one that was accepted',
  write_forbidden: 'an application may write and `allow_write` is not true',
  catalog_too_large: 'the list of tools exceeds 4194304 bytes',
  audit_unavailable: 'the folder of the audit cannot be used or is in use',
  run_admission_unavailable: 'runs cannot be started',
  installation_pin_mismatch: 'an installation is not configured as accepted',
  provider_pin_mismatch: 'an opened installation is not what was accepted',
  provider_pin_unavailable: 'an opened installation cannot be distinguished from another',
  provider_admission_unavailable: 'calls of providers cannot be admitted',
  provider_runtime_unavailable: 'an installation cannot be opened',
  listener_unavailable: 'the port cannot be had',
  log_unavailable: 'the file of `--log` cannot be used',
  internal_error: 'anything else; a fault of svc',
};

/** The gateway's configuration, requests and audit. */
export function gatewayPage(): string {
  const codes = Object.entries(START_CODES)
    .map(([code, why]) => `| \`${code}\` | ${why} |`)
    .join('\n');
  return fromTemplate('gateway', { shapes: { gateway: GATEWAY }, parts: { 'start-codes': codes } });
}
