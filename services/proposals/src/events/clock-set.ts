import { type Clocks, type Consumer, consumerOf, type DueFacts } from '@cds/service';

/** Follows sandbox clocks: an advance that this service missed is made good, and what it made due is handled. */
export const clockSet = ({ clocks, due }: { clocks: Clocks; due: DueFacts }): Consumer =>
  consumerOf({
    event: 'clock.set',
    project: ({ workspace, offset_ms }) => clocks.set(workspace, offset_ms),
    applied: ({ workspace }) => due.applied(workspace),
  });
