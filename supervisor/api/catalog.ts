/** `svc catalog`: what the providers of an application offer (providers.md §13). */
export { listCatalog, type CatalogOptions, type CatalogReport } from '../authoring/catalog/capture-catalog.ts';
