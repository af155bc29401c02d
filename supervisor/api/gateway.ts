/** `svc gateway`: workflows as tools of MCP (gateway.md §1). */
export {
  checkGateway,
  computeGatewayPins,
  logFaultOf,
  openGatewayLog,
  startGateway,
  writeGatewayPins,
} from '../gateway/start-gateway.ts';
export { NO_LOG } from '../gateway/observation/log.ts';
export type { GatewayLog } from '../gateway/observation/log.ts';
export type { StartFault } from '../gateway/start/codes.ts';
export type { GatewayOptions, RunningGateway } from '../gateway/start/options.ts';
