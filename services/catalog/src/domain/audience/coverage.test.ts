import { proves } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { liveChannel, NEXT_CHANNELS, uncountedChannel } from './coverage.js';

describe('the coverage of a channel', () => {
  it.each([
    [
      { verified: 60, bookable: 42, pricedUnits: 97 },
      'strong',
      '42 creators bookable now, 97 posts on sale at a current price.',
    ],
    [
      { verified: 60, bookable: 20, pricedUnits: 20 },
      'strong',
      '20 creators bookable now, 20 posts on sale at a current price.',
    ],
    [
      { verified: 60, bookable: 19, pricedUnits: 1 },
      'thin',
      '19 creators bookable now, 1 post on sale at a current price.',
    ],
    [
      { verified: 1, bookable: 1, pricedUnits: 1 },
      'thin',
      '1 creator bookable now, 1 post on sale at a current price.',
    ],
    [{ verified: 12, bookable: 0, pricedUnits: 0 }, 'thin', 'No creator bookable now, 12 approved, price on request.'],
    [{ verified: 0, bookable: 0, pricedUnits: 0 }, 'none', 'No approved creator reaches this audience.'],
  ])('%p is %s', (coverage, level, note) => {
    proves('inventory.note-creators-first', 'inventory.channel-words');
    expect(liveChannel(coverage)).toMatchObject({
      channel: 'x_creators',
      label: 'X creators',
      sale: 'live',
      level,
      note,
    });
  });

  it('claims nothing of an audience that was not understood', () => {
    expect(uncountedChannel).toMatchObject({
      channel: 'x_creators',
      level: 'none',
      note: 'No audience was understood, so no creators were counted.',
    });
  });

  it('is level none for a channel that is not on sale', () => {
    expect(NEXT_CHANNELS.map(({ channel, sale, level, note }) => [channel, sale, level, note])).toEqual([
      ['reddit', 'next', 'none', 'Not on sale yet.'],
      ['clipping', 'next', 'none', 'Not on sale yet.'],
    ]);
  });
});
