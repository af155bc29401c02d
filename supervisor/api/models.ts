/** `svc models`: what a host document installs (cli.md §10). */
export { listModels } from '../authoring/models/list-models.ts';
export type { ModelDescription, ModelRatesByName } from '../providers/source/installed-provider.ts';
