import { expect, test } from 'vitest';
import { broadcastOf, type BroadcastFacts } from './broadcast';

const idle: BroadcastFacts = {
  deleted: false,
  suspended: false,
  isActive: false,
  publishing: false,
  last: null,
};
const last = { endedAt: 1_767_225_600_000, recordingId: null };

test.each([
  ['never published', {}, { state: 'idle' }],
  ['an encoder is connected, no segment exists yet', { publishing: true }, { state: 'starting' }],
  ['the next broadcast starts', { publishing: true, last }, { state: 'starting' }],
  ['live', { publishing: true, isActive: true, last }, { state: 'live' }],
  ['over', { last }, { state: 'ended', endedAt: last.endedAt }],
  [
    'ended and recorded',
    { last: { ...last, recordingId: 'r' } },
    { state: 'ended', endedAt: last.endedAt, recordingId: 'r' },
  ],
  [
    'suspended, even while its publish is being cut',
    { suspended: true, isActive: true, last },
    { state: 'unavailable' },
  ],
  [
    'deleted, of a suspended account',
    { deleted: true, suspended: true, isActive: true, last },
    { state: 'deleted' },
  ],
])('%s', (_name, facts, broadcast) => {
  expect(broadcastOf({ ...idle, ...facts })).toEqual(broadcast);
});
