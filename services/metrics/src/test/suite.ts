import { suiteWide } from '@cds/service/testing/suite';
import { postsOnMongo } from './posts-on-mongo.js';

export const testPosts = () => suiteWide(postsOnMongo, (world) => world.drop());
