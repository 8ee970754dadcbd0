import { expect, test } from 'vitest';
import { readBroadcast } from './probe';

test('the reason why there is no playlist', () => {
  const ended = { state: 'ended', endedAt: 1_767_225_600_000, recordingId: 'r' };
  expect(readBroadcast({ errors: ['…'], broadcast: ended })).toEqual(ended);
  expect(readBroadcast({ broadcast: { state: 'deleted', endedAt: 'soon' } })).toEqual({ state: 'deleted' });
});

test.each([
  null,
  'text',
  {},
  { broadcast: null },
  { broadcast: { state: 'paused' } },
  { errors: ['Not found.'] },
])('none in %j', (body) => expect(readBroadcast(body)).toBeUndefined());
