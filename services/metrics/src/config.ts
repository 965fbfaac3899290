import { readEnvironment, serviceVariables } from '@cds/service';
import { z } from 'zod';

/** Metrics has no settings of its own. */
const Own = z.object({});

/** Every variable that metrics reads. */
export const variables = serviceVariables('metrics', Own);

/** Reads the environment once; every problem is reported in one message. */
export const readConfig = (env: Record<string, string | undefined> = process.env) =>
  readEnvironment('metrics', Own, env);
