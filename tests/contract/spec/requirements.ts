import { OPEN } from './open.js';
import { type Issue, OWED, type Owed } from './owed.js';
import { ACCESS } from './sections/access.js';
import { CAMPAIGNS } from './sections/campaigns.js';
import { GENERAL } from './sections/general.js';
import { GUESTS } from './sections/guests.js';
import { NETWORK } from './sections/network.js';
import { PLANS } from './sections/plans.js';
import { PROOF } from './sections/proof.js';

/**
 * Every sentence of the specification that states behaviour, by id. `claimed`: a test proves it. `open`: served, but no
 * test cites it yet. `owed`: a later issue will serve it. requirements.test.ts holds all three to the tests.
 */
export type Requirement =
  | { id: string; source: string; text: string; status: 'claimed' | 'open' }
  | { id: string; source: string; text: string; status: 'owed'; owed: Issue; sentences: number };

const HEADINGS = [...GENERAL, ...NETWORK, ...CAMPAIGNS, ...PLANS, ...PROOF, ...ACCESS, ...GUESTS] as const;

type KeysOf<T> = T extends T ? keyof T : never;

/** The ids of sentences that the system serves. */
export type ServedId = KeysOf<(typeof HEADINGS)[number]['sentences']>;
export type RequirementId = ServedId | keyof typeof OWED;

const open: ReadonlySet<string> = new Set(OPEN);

const served: Requirement[] = HEADINGS.flatMap(({ source, sentences }) =>
  Object.entries<string>(sentences).map(([id, text]) => ({
    id,
    source,
    text,
    status: open.has(id) ? ('open' as const) : ('claimed' as const),
  })),
);

const owed: Requirement[] = Object.entries<Owed>(OWED).map(([id, part]) => ({ id, ...part, status: 'owed' as const }));

export const REQUIREMENTS: readonly Requirement[] = [...served, ...owed];
