import { suiteWide } from '@cds/service/testing/suite';
import { offersOnMongo } from './offers-on-mongo.js';

export const testOffers = () => suiteWide(offersOnMongo, (world) => world.drop());
