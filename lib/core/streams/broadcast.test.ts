import { expect, test } from 'vitest';
import { broadcastOf, type BroadcastFacts } from './broadcast';

const idleStream: BroadcastFacts = {
  deleted: false,
  suspended: false,
  isActive: false,
  publishing: false,
  lastSession: null,
};
const lastSession = { endedAt: 1_767_225_600_000, recordingId: null };

test.each([
  ['never published', {}, { state: 'idle' }],
  ['an encoder is connected, no segment exists yet', { publishing: true }, { state: 'starting' }],
  ['the next session starts', { publishing: true, lastSession }, { state: 'starting' }],
  ['live', { publishing: true, isActive: true, lastSession }, { state: 'live' }],
  ['after its only session', { lastSession }, { state: 'ended', endedAt: lastSession.endedAt }],
  [
    'ended and recorded',
    { lastSession: { ...lastSession, recordingId: 'r' } },
    { state: 'ended', endedAt: lastSession.endedAt, recordingId: 'r' },
  ],
  [
    'suspended, even while its publish is being cut',
    { suspended: true, isActive: true, lastSession },
    { state: 'unavailable' },
  ],
  [
    'deleted, of a suspended account',
    { deleted: true, suspended: true, isActive: true, lastSession },
    { state: 'deleted' },
  ],
])('the broadcast of a stream, %s, is $2', (_name, facts, broadcast) => {
  expect(broadcastOf({ ...idleStream, ...facts })).toEqual(broadcast);
});
