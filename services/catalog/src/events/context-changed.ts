import { type Consumer, consumerOf } from '@cds/service';
import type { Contexts } from '../store/contexts.js';

export const onContextChanged = (contexts: Contexts): Consumer =>
  consumerOf({
    event: 'context.changed',
    project: ({ workspace, version, audience }, at) => contexts.take({ workspace, version, audience }, at),
  });
