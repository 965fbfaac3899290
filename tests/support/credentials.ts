import type { ServiceName } from '@cds/contracts';
import { readEnvironment, type SharedConfig } from '@cds/service';
import { z } from 'zod';
import type { Stack } from './stack.js';

/** What a running service holds, read from its environment as the service itself reads it. */
export const credentialsOf = (stack: Stack, service: ServiceName): SharedConfig =>
  readEnvironment(service, z.object({}), stack.environmentOf(service)).shared;
