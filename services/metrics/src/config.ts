import { readEnvironment, serviceVariables } from '@cds/service';
import { z } from 'zod';

const Own = z.object({});

export const variables = serviceVariables('metrics', Own);

export const readConfig = (env: Record<string, string | undefined> = process.env) =>
  readEnvironment('metrics', Own, env);
