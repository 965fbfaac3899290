import { type Clocks, consumerOf } from '@cds/service';

/** Follows sandbox clocks: an advance that this service missed is made good, and its sweeps handle what is due then. */
export const clockSet = (clocks: Clocks) =>
  consumerOf({
    event: 'clock.set',
    project: ({ workspace, offset_ms }) => clocks.set(workspace, offset_ms),
  });
