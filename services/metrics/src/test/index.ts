/** What tests outside this service may use of it. */
export { type Line, withOffer, withSigned } from '../domain/line.js';
export { sandboxPostId } from '../domain/persona.js';
export { dueFactsOf, type Post, type PostMove } from '../domain/post.js';
export { afterDue, goLive, sandboxReading, withReadings } from '../domain/post-moves.js';
export { followLine } from '../domain/post-planning.js';
export type { Reading } from '../domain/reading.js';
export { postChanged } from '../present/post-changed.js';
