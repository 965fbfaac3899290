import { type Clocks, type Consumer, consumerOf } from '@cds/service';

/** Follows sandbox clocks: an advance that this service missed is made good. */
export const clockSet = (clocks: Clocks): Consumer =>
  consumerOf({
    event: 'clock.set',
    project: ({ workspace, offset_ms }) => clocks.set(workspace, offset_ms),
  });
