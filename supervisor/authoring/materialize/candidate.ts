import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { candidateRefusedMessage } from '../../../contract/diagnostics/messages/programs.ts';
import type { MaterializeResult } from '../../../contract/envelope/results.ts';
import { failure, type Failed, type Outcome } from '../../../contract/outcome.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import type { Component } from '../../documents/components/read.ts';
import { sourceNames } from '../../documents/components/source-name.ts';
import { sha256Hex } from '../../documents/digest.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import type { Target } from '../../documents/project/load.ts';
import { checkBundles } from '../../application/preflight/entry.ts';
import type { CompiledApplication } from '../../application/preflight/explained.ts';
import { CANDIDATE_NAME, DESCRIPTOR_NAME, writeCandidate, type WrittenCandidate } from './candidate-directory.ts';
import { readCandidateSource } from './candidate-source.ts';
import { gateFindings, type GateFinding } from './gate.ts';
import {
  MOST_NAMES,
  bundleOf,
  componentHint,
  componentOf,
  loadInstalled,
  loadMaterializeTarget,
  loadReplaced,
} from './installed.ts';
import { refuseMaterialize, type MaterializeTask, type MaterializeTools, type TargetComponent } from './request.ts';

type CandidateTask = Extract<MaterializeTask, { readonly kind: 'candidate' }>;

/**
 * Writes a candidate for a component, judges the application with it, and takes it away again where it is refused
 * (documents.md §11).
 */
export async function writeJudgedCandidate(
  tools: MaterializeTools,
  task: CandidateTask,
): Promise<Outcome<MaterializeResult>> {
  const source = await readCandidateSource(tools.reader, task.origin);
  if (!source.ok) return refuseMaterialize(source.code);
  const target = await loadMaterializeTarget(tools);
  if (!target.ok) return target;
  const base = await loadInstalled(tools, target.value);
  if (!base.ok) return base;
  const { documents } = base.value;
  const component = componentOf(tools, documents.environments);
  if (component === null)
    return refuseMaterialize('selected_component_missing', componentHint(tools, documents.environments));
  const descriptor = descriptorOf(tools, component, source.bytes, task);
  if (descriptor.length > MAX_BYTES.overrideDescriptor) return refuseMaterialize('descriptor_too_large');
  const written = await writeCandidate(tools.publication().fileSystem, task.directory, {
    candidate: source.bytes,
    descriptor,
  });
  if (!written.ok) return refuseMaterialize(written.code);
  const judged = await judge(tools, { target: target.value, base: base.value, task }).catch(async (error: unknown) => {
    await written.remove();
    throw error;
  });
  return judged.ok ? keep(written) : remove(written, judged);
}

async function keep(written: WrittenCandidate): Promise<Outcome<MaterializeResult>> {
  return (await written.keep())
    ? { ok: true, value: { mode: 'candidate', directory: written.path } }
    : refuseMaterialize('candidate_publication_failed');
}

async function remove(written: WrittenCandidate, judged: Failed): Promise<Failed> {
  return (await written.remove()) ? judged : refuseMaterialize('candidate_cleanup_failed');
}

interface Judged {
  readonly target: Target;
  readonly base: CompiledApplication;
  readonly task: CandidateTask;
}

/** The application with the candidate in its place, through the descriptor that was just written. */
async function judge(tools: MaterializeTools, { target, base, task }: Judged): Promise<Outcome<null>> {
  const replaced = await loadReplaced(tools, target, base, `${task.directory}/${DESCRIPTOR_NAME}`);
  if (!replaced.ok) {
    if (replaced.diagnostic.phase !== 'bundle') return failure(replaced.diagnostic);
    return failure(diagnostic('candidate_refused', { message: candidateRefusedMessage(['G1']) }), replaced.advice);
  }
  const { documents, bundles } = replaced.value;
  const unfit = checkBundles(
    documents.manifest,
    bundles,
    sourceNames(documents.directory, tools.options.workingDirectory),
  );
  if (unfit !== null && unfit.diagnostic.code === 'entry_invalid')
    return gateRefusal([{ check: 'G1', exports: [documents.manifest.workflow.entry] }]);
  const installed = bundleOf(tools, base.bundles);
  const candidateBundle = bundleOf(tools, bundles);
  if (installed === null || candidateBundle === null) throw new Error('an environment with a component has a bundle');
  const findings = gateFindings({
    component: tools.component,
    installed,
    candidate: candidateBundle,
    acceptsWidened: task.acceptsWidened,
  });
  return findings.length === 0 ? { ok: true, value: null } : gateRefusal(findings);
}

function gateRefusal(findings: readonly GateFinding[]): Failed {
  const hints = findings.map(
    ({ check, exports }) =>
      `${check}: ${GATE_WORDS[check]}: ${exports.slice(0, MOST_NAMES).join(', ')}${exports.length > MOST_NAMES ? ', …' : ''}`,
  );
  const message = candidateRefusedMessage(findings.map(({ check }) => check));
  return failure(diagnostic('candidate_refused', { message }), { hint: hints.join('; ') });
}

const GATE_WORDS: Readonly<Record<GateFinding['check'], string>> = {
  G1: 'the entry can no longer be called',
  G2: 'without a signature or a docstring',
  G3: 'removed, or wider in effect or requirements',
};

function descriptorOf(
  { mission, component }: TargetComponent,
  installed: Component,
  source: Uint8Array,
  { provenance, acceptsWidened }: CandidateTask,
): Uint8Array {
  const origin = { ...provenance, ...(acceptsWidened ? { accept_widened_effect: true } : {}) };
  const descriptor = jsonFromPlain({
    target: mission === null ? { environment: 'workflow' } : { environment: 'mission', mission },
    component_id: component,
    base_source_hash: `sha256:${installed.sourceHash}`,
    source_hash: `sha256:${sha256Hex(source)}`,
    path: CANDIDATE_NAME,
    ...(Object.keys(origin).length === 0 ? {} : { provenance: origin }),
  });
  if (descriptor === undefined) throw new TypeError('a descriptor holds JSON values only');
  return new TextEncoder().encode(`${canonicalJson(descriptor)}\n`);
}
