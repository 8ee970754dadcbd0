import { describe, expect, test } from 'vitest';
import { parseEdgeRequest } from './edge-request';

const id = 'abcd1234efgh5678';
/** The viewer that starts this asset. */
const starts = { playbackId: id, token: null, isAsset: true };
const token = `0123abcd${'A'.repeat(20)}`;
const read = (url: string, headers = {}) => parseEdgeRequest(url, headers);

describe('equal requests have equal targets', () => {
  test('media playlists have one key for all viewers and spellings', () => {
    const first = read(`/hls/${id}/source/index.m3u8?viewer=${token}&_HLS_msn=7&_HLS_part=2`);
    const second = read(`/hls/${id}/source/index.m3u8?x=1&_HLS_part=2&_HLS_msn=7`);
    expect(first).toMatchObject({
      kind: 'whole',
      target: `/hls/${id}/source/index.m3u8?_HLS_msn=7&_HLS_part=2`,
      heldFor: id,
      viewer: { playbackId: id, token },
    });
    expect(second).toMatchObject({ ...first, viewer: { playbackId: id, token: null } });
  });

  test('the DVR playlist has a different target from that of the live window', () => {
    const target = `/hls/${id}/source/index.m3u8?dvr=1`;
    expect(read(`/hls/${id}/source/index.m3u8?viewer=${token}&dvr=1`)).toMatchObject({ target });
    expect(read(`/hls/${id}/index.m3u8?dvr=1`)).toMatchObject({ target: `/hls/${id}/index.m3u8?dvr=1` });
  });

  test('segments, parts and pictures have a target without the query', () => {
    expect(read(`/hls/${id}/source/7.m4s?x`)).toMatchObject({
      target: `/hls/${id}/source/7.m4s`,
      heldFor: null,
    });
    expect(read(`/hls/${id}/source/7.1.m4s`)).toMatchObject({ heldFor: id });
    expect(read(`/hls/${id}/thumbnail.jpg?t=5`)).toMatchObject({ target: `/hls/${id}/thumbnail.jpg` });
  });

  test('files of assets differ by whether they are downloaded', () => {
    expect(read(`/asset/${id}/video?x=1`)).toEqual({
      kind: 'file',
      target: `/asset/${id}/video`,
      accept: null,
      viewer: starts,
    });
    expect(read(`/asset/${id}/video?download=1`)).toMatchObject({ target: `/asset/${id}/video?download` });
    expect(read(`/asset/${id}/video?download=audio`)).toMatchObject({
      target: `/asset/${id}/video?download=audio`,
    });
    expect(read(`/asset/${id}/index.m3u8?x`)).toMatchObject({
      kind: 'whole',
      target: `/asset/${id}/index.m3u8`,
      viewer: starts,
    });
  });

  test('requests for asset files that start no view name no viewer', () => {
    for (const file of ['index.m3u8?preview=a.b', 'source/index.m3u8', 'video?download', 'poster.jpg'])
      expect(read(`/asset/${id}/${file}`)).toMatchObject({ viewer: null });
    expect(read(`/asset/${id}/video`, { range: 'bytes=5-' })).toMatchObject({ viewer: null });
  });

  test('IPFS content differs by format and by the accepted types of the client', () => {
    expect(read('/ipfs/bafkqaaa?x=1&format=raw', { accept: '*/*' })).toEqual({
      kind: 'file',
      target: '/ipfs/bafkqaaa?format=raw',
      accept: '*/*',
      viewer: null,
    });
  });
});

describe('a request with a proof of access', () => {
  const secret = `~Q${'a'.repeat(39)}`;
  test.each<[url: string, heldFor: string | null, viewer?: object | null]>([
    [`/hls/${id}/${secret}/index.m3u8`, null],
    [`/hls/${id}/${secret}/source/index.m3u8?viewer=${token}&_HLS_msn=7`, id, { playbackId: id, token }],
    [`/hls/${id}/${secret}/source/index.m3u8?ll=0`, null, { playbackId: id, token: null }],
    [`/hls/${id}/${secret}/source/index.m3u8?preview=a.b`, null],
    [`/hls/${id}/${secret}/source/7.m4s`, null],
    [`/hls/${id}/${secret}/source/7.0.m4s`, id],
    [`/hls/${id}/index.m3u8?jwt=a.b.c`, null],
    [`/asset/${id}/${secret}/video?download`, null],
    [`/asset/${id}/index.m3u8?token=x`, null, starts],
    [`/asset/${id}/index.m3u8?token=x&preview=a.b`, null],
    [`/asset/${id}/${secret}/video`, null, starts],
    [`/asset/${id}/poster.jpg?token=x`, null],
    [`/recordings/01234567-89ab-cdef-0123-456789abcdef/source.mp4?accessKey=x`, null],
  ])('is forwarded individually: %s', (url, heldFor, viewer = null) => {
    expect(read(url)).toEqual({ kind: 'restricted', target: url, heldFor, viewer });
  });

  test('is recognized by its header, and never by a path with an invalid token', () => {
    const url = `/hls/${id}/index.m3u8`;
    expect(read(url, { 'livepeer-jwt': 'a.b.c' })).toMatchObject({
      kind: 'restricted',
      target: url,
      heldFor: null,
    });
    for (const path of [
      `/hls/${id}/${secret}/secret.txt`,
      `/asset/${id}/${secret}/%2e`,
      `/hls/${id}/${secret}/../x`,
    ])
      expect(read(path)).toEqual({ kind: 'nothing' });
    expect(read(`/hls/${id}/${secret}/source/index.m3u8?_HLS_part=1`)).toEqual({ kind: 'bad directive' });
    // The folder name of a rendition, in which ~20 is an encoded space.
    expect(read(`/hls/${id}/~20${'a'.repeat(50)}/7.m4s`)).toMatchObject({ kind: 'whole' });
  });
});

describe('a master playlist', () => {
  test('names its viewer, except the version for caches', () => {
    const path = `/hls/${id}/index.m3u8`;
    expect(read(path)).toEqual({ kind: 'master', target: path, sharedTarget: path });
    expect(read(`${path}?preview=a.b&probe`)).toEqual({
      kind: 'master',
      target: `${path}?probe&preview=a.b`,
      sharedTarget: `${path}?probe`,
    });
    expect(read(`${path}?ll=0`)).toMatchObject({ kind: 'whole', target: `${path}?ll=0`, viewer: null });
  });
});

test('gzip is used for playlists if the client accepts it', () => {
  const headers = { 'accept-encoding': 'gzip, br' };
  expect(read(`/hls/${id}/source/index.m3u8`, headers)).toMatchObject({ gzip: true });
  expect(read(`/hls/${id}/source/index.m3u8`)).toMatchObject({ gzip: false });
  expect(read(`/asset/${id}/index.m3u8`, headers)).toMatchObject({ gzip: true });
  expect(read(`/asset/${id}/poster.jpg`, headers)).toMatchObject({ gzip: false });
});

test('pictures at a time have few targets; the origin rejects the others', () => {
  const picture = `/asset/${id}/thumbnail.jpg`;
  expect(read(`${picture}?width=100&x=1&time=12.9`)).toMatchObject({
    kind: 'whole',
    target: `${picture}?time=12&width=160`,
  });
  expect(read(`${picture}?time=x`)).toEqual({
    kind: 'restricted',
    target: `${picture}?time=x`,
    heldFor: null,
    viewer: null,
  });
  expect(read(`/asset/${id}/preview.webp?x`)).toMatchObject({
    kind: 'whole',
    target: `/asset/${id}/preview.webp`,
  });
});

test.each([
  '/',
  '/api/stream',
  '/asset/../etc/passwd',
  `/hls/${id}/source/../x`,
  '/asset/%2e%2e/x',
  `/asset/${id}/${'a'.repeat(3_000)}`,
])('%s is not found', (url) => {
  expect(read(url)).toEqual({ kind: 'nothing' });
});

test('an invalid low-latency directive is a bad request', () => {
  expect(read(`/hls/${id}/source/index.m3u8?_HLS_part=1`)).toEqual({ kind: 'bad directive' });
});
