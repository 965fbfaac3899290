import { notFound } from '@cds/contracts';
import type { Line, Plan } from '../domain/plan.js';

/** A line of a loaded plan; raises not_found. */
export const lineNamed = (plan: Plan, lineId: string): Line => {
  const line = plan.lines.find((one) => one.id === lineId);
  if (line === undefined) throw notFound('line');
  return line;
};
