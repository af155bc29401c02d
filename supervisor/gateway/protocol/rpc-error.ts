import { errorText, type ErrorData, type RequestId, type RpcCode } from '../../../contract/mcp/rpc.ts';
import { renderJsonAnswer, type GatewayAnswer } from '../http/answers.ts';

const COME_AGAIN: Readonly<Record<string, string>> = { 'retry-after': '1' };

/** An error as a whole answer; busy and unavailable say when to come again. */
export function rpcError(
  status: number,
  id: RequestId,
  code: RpcCode,
  data?: ErrorData,
  closes = false,
): GatewayAnswer {
  return renderJsonAnswer(status, errorText(id, code, data), {
    headers: status === 429 || status === 503 ? COME_AGAIN : {},
    closes,
  });
}
