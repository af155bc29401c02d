/** `svc doctor`: what an application finds on this machine (providers.md §12). */
export { examine, type DoctorOptions } from '../authoring/doctor/examine-machine.ts';
