/** The references of the documents: their fields from the tables that the loaders read. */
import { MANIFEST } from '../../supervisor/documents/manifest/fields.ts';
import { PROJECT } from '../../supervisor/documents/project/fields.ts';
import { fromTemplate } from './template.ts';

/** `svc.json`. Its limits have a page of their own. */
export function manifestPage(): string {
  return fromTemplate('manifest', { shapes: { manifest: MANIFEST }, untold: ['limits.'] });
}

/** `svc-project.json`. */
export function projectPage(): string {
  return fromTemplate('project', { shapes: { project: PROJECT } });
}
