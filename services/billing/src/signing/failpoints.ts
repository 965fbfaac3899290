import type { Dependencies } from '../dependencies.js';
import type { Checkpoint, Runner, Signing } from './states.js';

/** The failpoints of the signing saga (docs/reliability.md#signing): who is about to leave which state. */
const POINTS: Record<Runner, Partial<Record<Signing['state'], readonly string[]>>> = {
  approve: {
    agreed: ['sign.before_reserve'],
    refusal_held: ['sign.refusal_held'],
    confirmed: ['sign.reserved', 'sign.request_late'],
    signed: ['sign.verdict_received'],
    refused: ['sign.verdict_received'],
    closed: ['sign.verdict_received'],
    ordered: ['sign.order_written'],
  },
  recovery: { ordered: ['sign.order_written'] },
};

/** Dies, fails or waits at the armed failpoints; outside tests none is. */
export const failpointsOf =
  (failpoints: Dependencies['failpoints']): Checkpoint =>
  async (by, state) => {
    for (const point of POINTS[by][state] ?? []) failpoints.hit(point);
    if (state !== 'confirmed') return;
    // A test may arm the second wait during the first.
    await failpoints.pause('sign.request_late');
    await failpoints.pause('sign.request_late');
  };
