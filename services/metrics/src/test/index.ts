/** What tests outside this service may use of it. */
export { newClaim, openClaim } from '../domain/claim.js';
export { sandboxReading } from '../domain/fake-network.js';
export { type Line, withOffer, withSigned } from '../domain/line.js';
export { sandboxPostId } from '../domain/persona.js';
export { dueFactsOf, isUnderWay, type Post, type PostMove } from '../domain/post.js';
export {
  afterDue,
  claimDecided,
  claimed,
  goLive,
  mayRemedy,
  withReadings,
} from '../domain/post-moves.js';
export { followLine } from '../domain/post-planning.js';
export type { Reading } from '../domain/reading.js';
export { afterTeamRemedy } from '../domain/team-moves.js';
export { postChanged } from '../present/post-changed.js';
