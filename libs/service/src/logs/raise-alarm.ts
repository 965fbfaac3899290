import type { Logger } from 'pino';
import { counterOf } from '../telemetry/metrics.js';
import type { Alarm } from './alarm-names.js';

const alarms = counterOf('cds_alarms_total');

/** Reports what a person must look into: one error in the log, and one count that the alert of its name watches. */
export const raiseAlarm = (log: Pick<Logger, 'error'>, alarm: Alarm, fields: object, message: string): void => {
  alarms.add(1, { alarm });
  log.error({ ...fields, alarm }, message);
};
