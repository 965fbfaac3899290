import { readEnvironment, serviceVariables } from '@cds/service';
import { z } from 'zod';

/** Planning has no settings of its own. */
const Own = z.object({});

/** Every variable that planning reads. */
export const variables = serviceVariables('planning', Own);

/** Reads the environment once; every problem is reported in one message. */
export const readConfig = (env: Record<string, string | undefined> = process.env) =>
  readEnvironment('planning', Own, env);
