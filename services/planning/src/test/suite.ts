import { suiteWide } from '@cds/service/testing/suite';
import { aWorld, type World } from './world.js';

export const testWorld = (name: string): World =>
  suiteWide(
    () => aWorld(name),
    (world) => world.drop(),
  );
