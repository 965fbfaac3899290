import { describe, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { isDatabaseUnavailable } from './database-unavailable.js';

const lost = new mongo.MongoNetworkError('Connection to 127.0.0.1:27017 interrupted due to server monitor timeout');
/** As the driver throws it; how much was written does not matter here. */
const inBulk = (error: ConstructorParameters<typeof mongo.MongoBulkWriteError>[0]) =>
  new mongo.MongoBulkWriteError(error, {} as mongo.BulkWriteResult);

describe('whether the database is unavailable', () => {
  test.each([
    ['a lost connection', lost, true],
    ['a lost connection in a bulk write', inBulk(lost), true],
    [
      'a socket whose other end has gone',
      Object.assign(new Error('This socket has been ended'), { code: 'EPIPE' }),
      true,
    ],
    ['an error of our own', new Error('no quote'), false],
    ['a primary that steps down', new mongo.MongoServerError({ message: 'not primary', code: 10107 }), true],
    ['a duplicate', new mongo.MongoServerError({ message: 'E11000', code: 11000 }), false],
    ['a duplicate in a bulk write', inBulk({ message: 'E11000', code: 11000 }), false],
    [
      'a duplicate that the server answered to a bulk write',
      inBulk(new mongo.MongoServerError({ message: 'E11000', code: 11000 })),
      false,
    ],
  ])('%s', (_what, error, unavailable) => {
    expect(isDatabaseUnavailable(error)).toBe(unavailable);
  });
});
