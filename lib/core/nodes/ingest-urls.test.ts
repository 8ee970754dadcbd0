import { expect, test } from 'vitest';
import { mergeIngestUrls, type IngestUrls } from './ingest-urls';

const createUrls = (
  url: string,
  region: string | null = null,
  headroomRatio: number | null = 0.5,
): IngestUrls => ({
  url,
  secureUrl: null,
  srtUrl: null,
  region,
  headroomRatio,
});

test('nodes with the same URL become one entry with their mean headroom', () => {
  const nodes = [
    createUrls('rtmp://a', 'eu', 0.2),
    createUrls('rtmp://a', 'eu', 0.6),
    createUrls('rtmp://a', 'eu', null),
  ];
  expect(mergeIngestUrls(nodes, undefined)).toEqual([createUrls('rtmp://a', 'eu', 0.4)]);
  expect(mergeIngestUrls([createUrls('rtmp://a', 'eu', null)], undefined)).toEqual([
    createUrls('rtmp://a', 'eu', null),
  ]);
});

test('the own region comes first, then the other regions by name, each sorted by headroom', () => {
  const nodes = [
    createUrls('rtmp://us-1', 'us', 0.9),
    createUrls('rtmp://eu-1', 'eu', 0.1),
    createUrls('rtmp://nowhere', null, 1),
    createUrls('rtmp://eu-new', 'eu', null),
    createUrls('rtmp://ap-1', 'ap', 0.4),
    createUrls('rtmp://eu-2', 'eu', 0.3),
  ];
  const urls = (region?: string) => mergeIngestUrls(nodes, region).map(({ url }) => url.slice(7));
  expect(urls('eu')).toEqual(['eu-2', 'eu-1', 'eu-new', 'nowhere', 'ap-1', 'us-1']);
  expect(urls('us')).toEqual(['us-1', 'nowhere', 'ap-1', 'eu-2', 'eu-1', 'eu-new']);
  expect(urls()).toEqual(['nowhere', 'ap-1', 'eu-2', 'eu-1', 'eu-new', 'us-1']);
});

test('nodes with the same RTMP URL get the SRT URL of one of them', () => {
  const srtUrl = 'srt://a:9000';
  const nodes = [createUrls('rtmp://a'), { ...createUrls('rtmp://a'), srtUrl }];
  expect(mergeIngestUrls(nodes, undefined)).toEqual([{ ...createUrls('rtmp://a'), srtUrl }]);
});

test('without nodes there are no addresses', () => expect(mergeIngestUrls([], 'eu')).toEqual([]));
