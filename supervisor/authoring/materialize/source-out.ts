import type { MaterializeResult } from '../../../contract/envelope/results.ts';
import type { Outcome } from '../../../contract/outcome.ts';
import { componentHint, componentOf, loadInstalledComponents, loadMaterializeTarget } from './installed.ts';
import { refuseMaterialize, type MaterializeTools } from './request.ts';
import { writeSourceFile } from './source-file.ts';

/** Writes the installed source of a component to a new file, whose path is absolute. */
export async function writeInstalledSource(tools: MaterializeTools, path: string): Promise<Outcome<MaterializeResult>> {
  const target = await loadMaterializeTarget(tools);
  const installed = target.ok ? await loadInstalledComponents(tools, target.value) : target;
  if (!installed.ok) return installed;
  const component = componentOf(tools, installed.value);
  if (component === null) return refuseMaterialize('selected_component_missing', componentHint(tools, installed.value));
  const code = await writeSourceFile(tools.publication(), path, component.bytes);
  return code === null ? { ok: true, value: { mode: 'source-out', path } } : refuseMaterialize(code);
}
