import { type Clocks, type Consumer, consumerOf } from '@cds/service';

/** Follows sandbox clocks: catches up on an advance that this service missed. */
export const clockSet = (clocks: Clocks): Consumer =>
  consumerOf({
    event: 'clock.set',
    project: ({ workspace, offset_ms }) => clocks.set(workspace, offset_ms),
  });
