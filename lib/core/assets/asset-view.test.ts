import { expect, test } from 'vitest';
import { startedPlaybackId } from './asset-view';

const id = 'abcd1234efgh5678';
const createRequest = (path: string, range?: string) => ({ path, isDownload: false, rangeHeader: range });

test.each([
  ['index.m3u8', undefined],
  ['video', undefined],
  ['video', 'bytes=0-'],
  ['video', 'bytes=0-1048575'],
  ['video/download.mp4', 'bytes=0-2'],
  // Multiple ranges are not supported, so the whole file is sent.
  ['video', 'bytes=0-99,200-299'],
])('a request for %s with the range %s starts playback', (file, range) => {
  expect(startedPlaybackId(createRequest(`/${id}/${file}`, range))).toBe(id);
});

test.each([
  ['source/index.m3u8', undefined],
  ['720p/index.m3u8', undefined],
  ['segment-1.m4s', undefined],
  ['poster.jpg', undefined],
  ['source', undefined],
  ['index.m3u8/x', undefined],
  ['video', 'bytes=0-1'],
  ['video', 'bytes=1-'],
  ['video', 'bytes=1048576-2097151'],
  ['video', 'bytes=-500'],
])('a request for %s with the range %s does not start playback', (file, range) => {
  expect(startedPlaybackId(createRequest(`/${id}/${file}`, range))).toBeNull();
});

test('downloads and invalid playback ids do not start playback', () => {
  expect(startedPlaybackId({ ...createRequest(`/${id}/video`), isDownload: true })).toBeNull();
  expect(startedPlaybackId(createRequest('/short/video'))).toBeNull();
});
