import { z } from 'zod';
import { secret } from './variables.js';

const Port = z.coerce.number().int().min(0).max(65_535);

/** The client does not refuse another scheme: it retries forever, silently. */
const BusUrl = z
  .string()
  .regex(
    /^(?:(?:(?:nats|tls):\/\/)?[^\s/,]+(?:,|$))+$/,
    'must be nats://host:4222, with commas between several servers',
  );

export const OfProcess = z.object({
  CDS_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('The least serious line that is written.'),
  CDS_NATS_URL: BusUrl.describe('The bus, as nats://host:4222; servers of a cluster with commas between.'),
  CDS_NATS_USER: z.string().min(1).describe("The process's user of the bus."),
  CDS_NATS_PASSWORD: secret(z.string().min(1)).describe('The password of that user.'),
  CDS_OPS_HOST: z.string().default('127.0.0.1').describe('The address that the operations port listens on.'),
  CDS_OPS_PORT: Port.describe('The operations port, with /livez, /readyz and /metrics; 0 takes a free one.'),
});
