import { randomUUID } from 'node:crypto';
import type { EditablePlan } from './fixture.js';
import { type Request, send, type Target } from './requests.js';

export const swap = async (at: Target, plan: EditablePlan): Promise<{ request: Request; ms: number }> => {
  const request = {
    path: `/api/v1/plans/${plan.planId}/lines/${plan.lineId}/swap`,
    secret: plan.secrets[plan.edits % plan.secrets.length] ?? '',
    write: { key: randomUUID(), body: JSON.stringify({ unit_id: plan.units[plan.edits % 2] }) },
  };
  const { ms, text } = await send(at, request);
  plan.lineId = /"line_id":"([^"]+)"/.exec(text)?.[1] ?? '';
  plan.edits += 1;
  return { request, ms };
};
