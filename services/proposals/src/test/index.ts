/** What tests outside this service may use of it. */
export type { Chain } from '../domain/chain.js';
export { dueMove, dueNow } from '../domain/due-move.js';
export { followOrder } from '../domain/follow-order.js';
export { followPost } from '../domain/follow-post.js';
export { cancelLine, type Move, owedWhenCancelled } from '../domain/moves.js';
export { payoutMost, payoutState } from '../domain/payout.js';
export { isSearchOver } from '../domain/search.js';
export { opsProposalsList } from '../operations/ops-proposals.js';
export { lineChanged } from '../present/line-changed.js';
export { anOrder, aReplacement, aSignedLine } from './builders.js';
export { type OffersWorld, offersOnMongo } from './offers-on-mongo.js';
