import { expect, test } from 'vitest';
import { probeUrl, readPublicStatus, readRejection } from './probe';

test('the public status in a response without a playlist omits fields of the wrong type', () => {
  const endedStatus = {
    state: 'ended',
    endedAt: 1_767_225_600_000,
    startsAt: 1_767_229_200_000,
    recordingId: 'r',
  };
  expect(readPublicStatus({ errors: ['…'], broadcast: endedStatus })).toEqual(endedStatus);
  expect(readPublicStatus({ broadcast: { state: 'deleted', endedAt: 'soon' } })).toEqual({
    state: 'deleted',
  });
});

test.each([
  null,
  'text',
  {},
  { broadcast: null },
  { broadcast: { state: 'paused' } },
  { errors: ['Not found.'] },
])('a response body of %j contains no public status', (body) =>
  expect(readPublicStatus(body)).toBeUndefined(),
);

test('the rejection of a response is its code, and undefined without a code', () => {
  expect(readRejection({ errors: ['A token is required.'], refusal: 'token_required' })).toBe(
    'token_required',
  );
  for (const body of [undefined, null, {}, { refusal: 403 }]) expect(readRejection(body)).toBeUndefined();
});

test('the probe parameter is added to the playlist of a stream, but not to that of an asset', () => {
  const streamUrl = 'https://cdn.example/hls/abcd1234efgh5678/index.m3u8';
  expect(probeUrl(streamUrl)).toBe(`${streamUrl}?probe`);
  expect(probeUrl(`${streamUrl}?ll=0`)).toBe(`${streamUrl}?ll=0&probe`);
  const assetUrl = 'https://cdn.example/asset/abcd1234efgh5678/index.m3u8';
  expect(probeUrl(assetUrl)).toBe(assetUrl);
});
