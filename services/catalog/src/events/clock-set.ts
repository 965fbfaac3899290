import { type Clocks, type Consumer, consumerOf } from '@cds/service';

/** Applies changes of sandbox clocks, including any that this service missed. */
export const clockSet = (clocks: Clocks): Consumer =>
  consumerOf({
    event: 'clock.set',
    project: ({ workspace, offset_ms }) => clocks.set(workspace, offset_ms),
  });
