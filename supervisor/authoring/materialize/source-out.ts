import type { MaterializeResult } from '../../../contract/envelope/results.ts';
import { success } from '../../../contract/outcome.ts';
import { loadInstalledComponents } from '../../documents/application.ts';
import { componentHint, componentOf, loadNames } from './installed.ts';
import { refuseMaterialize, refusedDocuments, type MaterializeTools, type MaterializeStep } from './request.ts';
import { writeSourceFile } from './source-file.ts';

/** Writes the installed source of a component to a new file, whose path is absolute. */
export async function writeInstalledSource(
  tools: MaterializeTools,
  path: string,
): Promise<MaterializeStep<MaterializeResult>> {
  const { reader, libraries, now, publication } = tools;
  const named = await loadNames(tools);
  if (!named.ok) return named;
  const { target, host } = named.value;
  const installed = await loadInstalledComponents({ reader, manifest: target.manifest, host, libraries, now });
  if (!installed.ok) return refusedDocuments(tools, success(target), installed);
  const component = componentOf(tools, installed.value);
  if (component === null) return refuseMaterialize('selected_component_missing', componentHint(tools, installed.value));
  const code = await writeSourceFile(publication(), path, component.bytes);
  return code === null ? { ok: true, value: { mode: 'source-out', path } } : refuseMaterialize(code);
}
