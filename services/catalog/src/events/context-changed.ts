import { type Consumer, consumerOf } from '@cds/service';
import type { Contexts } from '../store/contexts.js';

/** Stores a workspace's audience text and its segments: the audience on file. */
export const onContextChanged = (contexts: Contexts): Consumer =>
  consumerOf({
    event: 'context.changed',
    project: ({ workspace, version, audience }, at) => contexts.take({ workspace, version, audience }, at),
  });
