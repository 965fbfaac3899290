import { afterAll, beforeAll } from '@jest/globals';
import { type EdgeApp, startEdgeApp } from './edge-app.js';

/** A gateway for the tests of a suite: started before the first, stopped after the last. */
export const testEdge = (...started: Parameters<typeof startEdgeApp>): EdgeApp => {
  const edge = {} as EdgeApp;
  beforeAll(async () => {
    Object.assign(edge, await startEdgeApp(...started));
  });
  afterAll(() => edge.stop?.());
  return edge;
};
