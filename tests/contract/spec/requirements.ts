import { ACCESS } from './sections/access.js';
import { CAMPAIGNS } from './sections/campaigns.js';
import { GENERAL } from './sections/general.js';
import { GUESTS } from './sections/guests.js';
import { NETWORK } from './sections/network.js';
import { PLANS } from './sections/plans.js';
import { PROOF } from './sections/proof.js';

/**
 * Every sentence of the specification that states behaviour, by its place there and an id: an area, a dot, and what it
 * states in kebab-case. A test proves each.
 */
export const SECTIONS: readonly Section[] = [GENERAL, NETWORK, CAMPAIGNS, PLANS, PROOF, ACCESS, GUESTS];
export type Section = Readonly<Record<string, Readonly<Record<string, string>>>>;
