import { expect, test } from 'vitest';
import { ingestAddresses, type IngestAddress } from './ingest-addresses';

const at = (
  url: string,
  region: string | null = null,
  headroomRatio: number | null = 0.5,
): IngestAddress => ({
  url,
  secureUrl: null,
  srtUrl: null,
  region,
  headroomRatio,
});

test('nodes with the same address are one entry, with their mean headroom', () => {
  const nodes = [at('rtmp://a', 'eu', 0.2), at('rtmp://a', 'eu', 0.6), at('rtmp://a', 'eu', null)];
  expect(ingestAddresses(nodes, undefined)).toEqual([at('rtmp://a', 'eu', 0.4)]);
  expect(ingestAddresses([at('rtmp://a', 'eu', null)], undefined)).toEqual([at('rtmp://a', 'eu', null)]);
});

test('the own region comes first, then the others by name, each sorted by headroom', () => {
  const nodes = [
    at('rtmp://us-1', 'us', 0.9),
    at('rtmp://eu-1', 'eu', 0.1),
    at('rtmp://nowhere', null, 1),
    at('rtmp://eu-new', 'eu', null),
    at('rtmp://ap-1', 'ap', 0.4),
    at('rtmp://eu-2', 'eu', 0.3),
  ];
  const urls = (region?: string) => ingestAddresses(nodes, region).map(({ url }) => url.slice(7));
  expect(urls('eu')).toEqual(['eu-2', 'eu-1', 'eu-new', 'nowhere', 'ap-1', 'us-1']);
  expect(urls('us')).toEqual(['us-1', 'nowhere', 'ap-1', 'eu-2', 'eu-1', 'eu-new']);
  expect(urls()).toEqual(['nowhere', 'ap-1', 'eu-2', 'eu-1', 'eu-new', 'us-1']);
});

test('nodes with one RTMP address share the SRT address of one node', () => {
  const srtUrl = 'srt://a:9000';
  const nodes = [at('rtmp://a'), { ...at('rtmp://a'), srtUrl }];
  expect(ingestAddresses(nodes, undefined)).toEqual([{ ...at('rtmp://a'), srtUrl }]);
});

test('no nodes have no addresses', () => expect(ingestAddresses([], 'eu')).toEqual([]));
