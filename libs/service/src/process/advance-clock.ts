import type { Output } from '@cds/contracts';
import type { Sweeps } from '../clock/sweeps.js';
import type { Deadline } from '../deadline/deadline.js';
import type { Inbox } from '../inbox/inbox.js';
import type { Relay } from '../outbox/relay.js';
import type { BaseShell } from './shell.js';

export type AdvanceClock = (
  workspace: string,
  offsetMs: number,
  deadline: Deadline,
) => Promise<Output<'billing_clock_set'>>;

/**
 * Waits for an advanced clock's effect by stored state, so any replica may be asked in any round (ADR 0009). Events are
 * counted before they are published, so each counted one has left when this returns.
 */
export const clockAdvancer =
  (shell: BaseShell, relay: Relay, late: { sweeps?: Sweeps; inbox?: Inbox }): AdvanceClock =>
  async (workspace, offsetMs, deadline) => {
    await shell.clocks.set(workspace, offsetMs);
    const caughtUp = (await late.inbox?.caughtUp(deadline.atMost(3_000))) ?? true;
    if (!caughtUp) shell.log.warn('events were still arriving when a sandbox clock was advanced');
    const handled = (await late.sweeps?.runDue(workspace)) ?? 0;
    const facts = await shell.outbox.countOf(workspace);
    await relay.flush();
    return { handled, facts, behind: !caughtUp };
  };
