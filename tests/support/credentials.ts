import type { ServiceName } from '@cds/contracts';
import { readEnvironment, type SharedConfig } from '@cds/service';
import { z } from 'zod';
import type { Stack } from './stack.js';

/** The credentials of a running service, read from its environment as the service itself reads them. */
export const credentialsOf = (stack: Stack, service: ServiceName): SharedConfig =>
  readEnvironment(service, z.object({}), stack.environmentOf(service)).shared;
