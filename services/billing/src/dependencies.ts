import type { BaseShell } from '@cds/service';

export type Dependencies = Pick<BaseShell, 'store' | 'commands' | 'outbox' | 'audit' | 'clocks' | 'failpoints' | 'log'>;
