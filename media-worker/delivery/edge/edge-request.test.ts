import { describe, expect, test } from 'vitest';
import { parseEdgeRequest } from './edge-request';

const playbackId = 'abcd1234efgh5678';
/** The viewer who starts this asset. */
const assetViewer = { playbackId, token: null, isAsset: true };
const token = `0123abcd${'A'.repeat(20)}`;
const parse = (url: string, headers = {}) => parseEdgeRequest(url, headers);

describe('the target of a request to the origin', () => {
  test('is the same for all viewers of a media playlist, and for each order of its parameters', () => {
    const first = parse(`/hls/${playbackId}/source/index.m3u8?viewer=${token}&_HLS_msn=7&_HLS_part=2`);
    const second = parse(`/hls/${playbackId}/source/index.m3u8?x=1&_HLS_part=2&_HLS_msn=7`);
    expect(first).toMatchObject({
      kind: 'whole',
      target: `/hls/${playbackId}/source/index.m3u8?_HLS_msn=7&_HLS_part=2`,
      heldFor: playbackId,
      viewer: { playbackId, token },
    });
    expect(second).toMatchObject({ ...first, viewer: { playbackId, token: null } });
  });

  test('keeps ?dvr=1, so that the DVR playlist is not confused with that of the live window', () => {
    const target = `/hls/${playbackId}/source/index.m3u8?dvr=1`;
    expect(parse(`/hls/${playbackId}/source/index.m3u8?viewer=${token}&dvr=1`)).toMatchObject({ target });
    expect(parse(`/hls/${playbackId}/index.m3u8?dvr=1`)).toMatchObject({
      target: `/hls/${playbackId}/index.m3u8?dvr=1`,
    });
  });

  test('has no query for segments, parts and thumbnails', () => {
    expect(parse(`/hls/${playbackId}/source/7.m4s?x`)).toMatchObject({
      target: `/hls/${playbackId}/source/7.m4s`,
      heldFor: null,
    });
    expect(parse(`/hls/${playbackId}/source/7.1.m4s?x`)).toMatchObject({
      target: `/hls/${playbackId}/source/7.1.m4s`,
      heldFor: playbackId,
    });
    expect(parse(`/hls/${playbackId}/thumbnail.jpg?t=5`)).toMatchObject({
      target: `/hls/${playbackId}/thumbnail.jpg`,
    });
  });

  test('of a file of an asset keeps only the kind of its download', () => {
    expect(parse(`/asset/${playbackId}/video?x=1`)).toEqual({
      kind: 'file',
      target: `/asset/${playbackId}/video`,
      accept: null,
      viewer: assetViewer,
    });
    expect(parse(`/asset/${playbackId}/video?download=1`)).toMatchObject({
      target: `/asset/${playbackId}/video?download`,
    });
    expect(parse(`/asset/${playbackId}/video?download=audio`)).toMatchObject({
      target: `/asset/${playbackId}/video?download=audio`,
    });
    expect(parse(`/asset/${playbackId}/index.m3u8?x`)).toMatchObject({
      kind: 'whole',
      target: `/asset/${playbackId}/index.m3u8`,
      viewer: assetViewer,
    });
  });

  test('comes without a viewer for asset files that start no view', () => {
    for (const file of ['index.m3u8?preview=a.b', 'source/index.m3u8', 'video?download', 'poster.jpg'])
      expect(parse(`/asset/${playbackId}/${file}`)).toMatchObject({ viewer: null });
    expect(parse(`/asset/${playbackId}/video`, { range: 'bytes=5-' })).toMatchObject({ viewer: null });
  });

  test('keeps the format of IPFS content, and comes with the accepted types of the client', () => {
    expect(parse('/ipfs/bafkqaaa?x=1&format=raw', { accept: '*/*' })).toEqual({
      kind: 'file',
      target: '/ipfs/bafkqaaa?format=raw',
      accept: '*/*',
      viewer: null,
    });
  });
});

describe('a request with a proof of access', () => {
  const pathToken = `~Q${'a'.repeat(39)}`;
  test.each<[url: string, heldFor: string | null, viewer?: object | null]>([
    [`/hls/${playbackId}/${pathToken}/index.m3u8`, null],
    [
      `/hls/${playbackId}/${pathToken}/source/index.m3u8?viewer=${token}&_HLS_msn=7`,
      playbackId,
      { playbackId, token },
    ],
    [`/hls/${playbackId}/${pathToken}/source/index.m3u8?ll=0`, null, { playbackId, token: null }],
    [`/hls/${playbackId}/${pathToken}/source/index.m3u8?preview=a.b`, null],
    [`/hls/${playbackId}/${pathToken}/source/7.m4s`, null],
    [`/hls/${playbackId}/${pathToken}/source/7.0.m4s`, playbackId],
    [`/hls/${playbackId}/index.m3u8?jwt=a.b.c`, null],
    [`/asset/${playbackId}/${pathToken}/video?download`, null],
    [`/asset/${playbackId}/index.m3u8?token=x`, null, assetViewer],
    [`/asset/${playbackId}/index.m3u8?token=x&preview=a.b`, null],
    [`/asset/${playbackId}/${pathToken}/video`, null, assetViewer],
    [`/asset/${playbackId}/poster.jpg?token=x`, null],
    [`/recordings/01234567-89ab-cdef-0123-456789abcdef/source.mp4?accessKey=x`, null],
  ])('is forwarded individually: %s', (url, heldFor, viewer = null) => {
    expect(parse(url)).toEqual({ kind: 'restricted', target: url, heldFor, viewer });
  });

  test('is recognized by its header; an invalid path after the token is not found, and an invalid directive is bad', () => {
    const url = `/hls/${playbackId}/index.m3u8`;
    expect(parse(url, { 'livepeer-jwt': 'a.b.c' })).toMatchObject({
      kind: 'restricted',
      target: url,
      heldFor: null,
    });
    for (const path of [
      `/hls/${playbackId}/${pathToken}/secret.txt`,
      `/asset/${playbackId}/${pathToken}/%2e`,
      `/hls/${playbackId}/${pathToken}/../x`,
    ])
      expect(parse(path)).toEqual({ kind: 'nothing' });
    expect(parse(`/hls/${playbackId}/${pathToken}/source/index.m3u8?_HLS_part=1`)).toEqual({
      kind: 'bad directive',
    });
    // The folder name of a rendition, in which ~20 is an encoded space.
    expect(parse(`/hls/${playbackId}/~20${'a'.repeat(50)}/7.m4s`)).toMatchObject({ kind: 'whole' });
  });
});

describe('a master playlist', () => {
  test('is requested for each viewer, except the version for caches (?ll=0)', () => {
    const path = `/hls/${playbackId}/index.m3u8`;
    expect(parse(path)).toEqual({ kind: 'master', target: path, sharedTarget: path });
    expect(parse(`${path}?preview=a.b&probe`)).toEqual({
      kind: 'master',
      target: `${path}?probe&preview=a.b`,
      sharedTarget: `${path}?probe`,
    });
    expect(parse(`${path}?ll=0`)).toMatchObject({ kind: 'whole', target: `${path}?ll=0`, viewer: null });
  });
});

test('gzip is used for playlists if the client accepts it', () => {
  const headers = { 'accept-encoding': 'gzip, br' };
  expect(parse(`/hls/${playbackId}/source/index.m3u8`, headers)).toMatchObject({ gzip: true });
  expect(parse(`/hls/${playbackId}/source/index.m3u8`)).toMatchObject({ gzip: false });
  expect(parse(`/asset/${playbackId}/index.m3u8`, headers)).toMatchObject({ gzip: true });
  expect(parse(`/asset/${playbackId}/poster.jpg`, headers)).toMatchObject({ gzip: false });
});

test('the time and width of a thumbnail are rounded, so that there are few targets; an invalid time is forwarded unchanged', () => {
  const picture = `/asset/${playbackId}/thumbnail.jpg`;
  expect(parse(`${picture}?width=100&x=1&time=12.9`)).toMatchObject({
    kind: 'whole',
    target: `${picture}?time=12&width=160`,
  });
  expect(parse(`${picture}?time=x`)).toEqual({
    kind: 'restricted',
    target: `${picture}?time=x`,
    heldFor: null,
    viewer: null,
  });
  expect(parse(`/asset/${playbackId}/preview.webp?x`)).toMatchObject({
    kind: 'whole',
    target: `/asset/${playbackId}/preview.webp`,
  });
});

test.each([
  '/',
  '/api/stream',
  '/asset/../etc/passwd',
  `/hls/${playbackId}/source/../x`,
  '/asset/%2e%2e/x',
  `/asset/${playbackId}/${'a'.repeat(3_000)}`,
])('%s is not found', (url) => {
  expect(parse(url)).toEqual({ kind: 'nothing' });
});

test('an invalid low-latency directive is a bad request', () => {
  expect(parse(`/hls/${playbackId}/source/index.m3u8?_HLS_part=1`)).toEqual({ kind: 'bad directive' });
});
