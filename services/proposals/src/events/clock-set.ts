import { type Clocks, type Consumer, consumerOf, type DueFacts } from '@cds/service';

/** Follows sandbox clocks: catches up on an advance that this service missed, and handles what became due. */
export const clockSet = ({ clocks, due }: { clocks: Clocks; due: DueFacts }): Consumer =>
  consumerOf({
    event: 'clock.set',
    project: ({ workspace, offset_ms }) => clocks.set(workspace, offset_ms),
    applied: ({ workspace }) => due.applied(workspace),
  });
