/**
 * The two endpoints for agents. Both take an operation by its tool name and return `{ value, asked }`; a refusal is a
 * Failure.
 */
import { randomUUID } from 'node:crypto';
import { Failure } from '../lib/failure.js';

/** @typedef {(operation: string, input?: Record<string, any>) => Promise<{ value: any, asked: string }>} Call */
/** @typedef {{ name: 'REST' | 'MCP', call: Call }} Endpoint */

const V1 = 'v1';
const APP = 'app';
/** The REST route of each operation of the demo. */
/** @type {Record<string, [method: string, root: string, template: string]>} */
const ROUTES = {
  inventory: ['GET', V1, '/inventory'],
  creators_search: ['GET', V1, '/creators'],
  creator_get: ['GET', V1, '/creators/{id}'],
  create_campaign: ['POST', V1, '/campaigns'],
  campaign_status: ['GET', V1, '/campaigns/{id}'],
  plan_quote: ['GET', V1, '/plans/{id}/quote'],
  plan_add_creator: ['POST', V1, '/plans/{id}/lines'],
  plan_remove_creator: ['DELETE', V1, '/plans/{id}/lines/{line_id}'],
  plan_swap_creator: ['POST', V1, '/plans/{id}/lines/{line_id}/swap'],
  plan_move_dates: ['POST', V1, '/plans/{id}/dates'],
  approve_plan: ['POST', V1, '/plans/{id}/approve'],
  order_get: ['GET', V1, '/orders/{id}'],
  evidence_list: ['GET', V1, '/evidence'],
  results_list: ['GET', V1, '/results'],
  sandbox_clock: ['GET', APP, '/api/sandbox/clock'],
  sandbox_clock_advance: ['POST', APP, '/api/sandbox/clock/advance'],
  sandbox_order_payment: ['POST', APP, '/api/sandbox/orders/{id}/payment'],
  sandbox_line_answer: ['POST', APP, '/api/sandbox/lines/{id}/answer'],
  sandbox_line_post: ['POST', APP, '/api/sandbox/lines/{id}/post'],
};
const WRITES_OF_GET_NOTHING = new Set(['GET', 'DELETE']);

/**
 * @param {{ apiUrl: string, appUrl: string, secret: string }} where
 * @returns {Endpoint}
 */
export function restEndpoint({ apiUrl, appUrl, secret }) {
  return {
    name: 'REST',
    async call(operation, input = {}) {
      const [method, root, template] = ROUTES[operation];
      const rest = { ...input };
      const path = template.replace(/\{(\w+)\}/g, (_all, /** @type {string} */ field) => {
        const value = rest[field];
        delete rest[field];
        return encodeURIComponent(value);
      });
      const query = method === 'GET' && Object.keys(rest).length > 0 ? `?${new URLSearchParams(rest)}` : '';
      const answer = await fetch(`${root === V1 ? apiUrl : appUrl}${path}${query}`, {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          ...(method !== 'GET' && { 'idempotency-key': `demo-${randomUUID()}` }),
          ...(!WRITES_OF_GET_NOTHING.has(method) && { 'content-type': 'application/json' }),
        },
        body: WRITES_OF_GET_NOTHING.has(method) ? undefined : JSON.stringify(rest),
      });
      /** @type {any} */
      const value = await answer.json();
      if (!answer.ok) throw refusal(operation, value.error, answer.headers.get('x-request-id'));
      return { value, asked: `${method} ${template}${query}` };
    },
  };
}

/**
 * The tool server without a client library: one JSON-RPC message per call, no session.
 * @param {{ url: string, secret: string }} where
 * @returns {Promise<Endpoint>}
 */
export async function mcpEndpoint({ url, secret }) {
  let id = 0;
  /** @type {(method: string, params: object) => Promise<any>} */
  const send = async (method, params) => {
    id += 1;
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
    /** @type {any} */
    const message = await answer.json();
    if (message.error) throw refusal(method, message.error.data ?? message.error, answer.headers.get('x-request-id'));
    return message.result;
  };
  await send('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'demo', version: '1.0.0' },
  });
  /** @type {{ tools: { name: string, annotations: { readOnlyHint: boolean } }[] }} */
  const { tools } = await send('tools/list', {});
  const writes = new Set(tools.filter((tool) => !tool.annotations.readOnlyHint).map((tool) => tool.name));
  return {
    name: 'MCP',
    async call(operation, input = {}) {
      const args = writes.has(operation) ? { ...input, idempotency_key: `demo-${randomUUID()}` } : input;
      const result = await send('tools/call', { name: operation, arguments: args });
      if (result.isError) throw refusal(operation, result._meta.error, result._meta.request_id);
      return { value: result.structuredContent, asked: `tools/call ${operation} ${inShort(input)}` };
    },
  };
}

/** @param {object} input */
const inShort = (input) => {
  const text = JSON.stringify(input);
  return text.length > 90 ? `${text.slice(0, 87)}...` : text;
};

/**
 * @param {string} operation
 * @param {{ code?: string, message?: string, details?: object } | undefined} error
 * @param {string | null} requestId
 */
function refusal(operation, error, requestId) {
  return new Failure(
    `${operation} was refused: ${error?.message ?? 'no message'}`,
    ['Check the details above', 'npm run demo  (each run makes a new brand)', 'Check logs/ in the home folder'],
    [`code ${error?.code}, ${JSON.stringify(error?.details ?? {})}`, `x-request-id ${requestId}`],
  );
}
