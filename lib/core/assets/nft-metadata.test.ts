import { describe, expect, test } from 'vitest';
import { createNftMetadata, mergeMetadata, type JsonObject } from './nft-metadata';

const video = {
  name: 'Town hall',
  playbackId: 'abcd1234efgh5678',
  cid: 'bafy',
  imageUrl: 'https://cdn.example/poster.jpg',
  pageUrl: 'https://example/watch/abcd1234efgh5678',
  playerUrl: 'https://example/embed/abcd1234efgh5678',
};

test('the default metadata has the name and picture of the video, and its player or, with the template `file`, its file', () => {
  expect(createNftMetadata(video, 'player')).toEqual({
    name: 'Town hall',
    description: 'Video of the asset "Town hall"',
    image: video.imageUrl,
    animation_url: `${video.playerUrl}?v=bafy&loop=1`,
    external_url: video.pageUrl,
    properties: { video: 'ipfs://bafy', 'com.livepeer.playbackId': video.playbackId },
  });
  expect(createNftMetadata(video, 'file')).toMatchObject({ animation_url: 'ipfs://bafy' });
});

describe('mergeMetadata', () => {
  test('merges objects, replaces other values, and deletes null fields', () => {
    const base = { name: 'a', keep: 1, properties: { video: 'v', list: [1, 2], deep: { x: 1 } } };
    const change = {
      name: 'b',
      properties: { list: [3], deep: { y: 2 }, video: null },
      new: { z: null, w: 1 },
    };
    expect(mergeMetadata(base, change)).toEqual({
      name: 'b',
      keep: 1,
      properties: { list: [3], deep: { x: 1, y: 2 } },
      new: { w: 1 },
    });
    expect(base.properties.video).toBe('v');
  });

  test('changes no prototype', () => {
    const evil = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":{"b":1}}}') as JsonObject; // prettier-ignore
    const metadata = mergeMetadata({}, evil);
    expect(metadata).toEqual({ a: {} });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
  });
});
