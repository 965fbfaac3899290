import { type Clocks, consumerOf } from '@cds/service';

/** Follows sandbox clocks: catches up on an advance that this service missed; the sweeps handle what became due. */
export const clockSet = (clocks: Clocks) =>
  consumerOf({
    event: 'clock.set',
    project: ({ workspace, offset_ms }) => clocks.set(workspace, offset_ms),
  });
