import type { BaseShell } from '@cds/service';

/** What billing's own transactions need of the shell. */
export type Kit = Pick<BaseShell, 'store' | 'commands' | 'outbox' | 'audit' | 'clocks' | 'failpoints' | 'log'>;
