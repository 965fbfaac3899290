import {
  type AdvanceClock,
  clockSet,
  type DepsOf,
  DueFacts,
  MandateChecks,
  type OneHandlerEach,
  RowRunner,
  type ServiceParts,
  type Shell,
} from '@cds/service';
import type { ProposalsConfig } from './config.js';
import { orderChanged } from './events/order-changed.js';
import { postChanged } from './events/post-changed.js';
import { republished } from './events/republished.js';
import * as handlers from './handlers.js';
import { Offers } from './store/offers.js';
import { dueProposals } from './sweeps/due-proposals.js';

export const proposalsModule = (
  shell: Shell<'proposals'>,
  advanceClock: AdvanceClock,
  own: ProposalsConfig,
): ServiceParts => {
  const { store, outbox, calls } = shell;
  const offers = new Offers(store);
  const rows = new RowRunner(store, shell.log);
  const due = new DueFacts(shell.clocks, dueProposals({ store, offers, outbox, calls, rows }), shell.log);
  const checks = new MandateChecks(store);
  const deps: DepsOf<typeof handlers> = {
    appUrl: own.CDS_APP_URL,
    shell,
    offers,
    checks,
    clocks: shell.clocks,
    links: own.CDS_CREATOR_LINK_KEYS,
    calls,
    advanceClock,
  };
  return {
    handlers: handlers satisfies OneHandlerEach<'proposals', typeof handlers>,
    deps,
    consumers: [
      orderChanged({ offers, outbox, due }),
      postChanged({ offers, outbox, due }),
      clockSet(shell.clocks, due),
    ],
    reset: { collections: ['offer_lines', 'proposals'] },
    republished: republished(offers, shell.outbox),
    sweeps: due.sweeps(),
  };
};
