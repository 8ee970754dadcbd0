import { expect, test } from 'vitest';
import { publicStatusOf, type PublicStatusFacts } from './public-status';

const idleStream: PublicStatusFacts = {
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
  ['an encoder starts the next session', { publishing: true, lastSession }, { state: 'starting' }],
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
])('the public status: %s', (_name, facts, publicStatus) => {
  expect(publicStatusOf({ ...idleStream, ...facts })).toEqual(publicStatus);
});
