import { readEnvironment, serviceVariables } from '@cds/service';
import { z } from 'zod';

/** Proposals has no settings of its own. */
const Own = z.object({});

/** Every variable that proposals reads. */
export const variables = serviceVariables('proposals', Own);

/** Reads the environment once; every problem is reported in one message. */
export const readConfig = (env: Record<string, string | undefined> = process.env) =>
  readEnvironment('proposals', Own, env);
