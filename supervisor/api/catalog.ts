/** `svc catalog`: what the providers of an application offer (providers.md §13). */
export { listCatalog } from '../authoring/catalog/capture-catalog.ts';
