import type { BaseShell } from '@cds/service';

/** What billing takes from the process it runs in; each class picks what it uses. */
export type Dependencies = Pick<BaseShell, 'store' | 'commands' | 'outbox' | 'audit' | 'clocks' | 'failpoints' | 'log'>;
