import { type Consumer, consumerOf } from '@cds/service';
import type { Contexts } from '../store/contexts.js';

/** Keeps a workspace's audience text and its segments: the audience on file. */
export const onContextChanged = (contexts: Contexts): Consumer =>
  consumerOf({
    event: 'context.changed',
    apply: (tx, { workspace, version, audience }, at) => contexts.take(tx, { workspace, version, audience }, at),
  });
