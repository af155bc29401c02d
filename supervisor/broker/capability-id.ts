/** Names of calls in trace and inspection: one counter for the whole process, so that no two are ever equal (evidence.md §2). */
let issued = 0;

export function newCapabilityId(): string {
  issued += 1;
  return `capability-${issued}`;
}
