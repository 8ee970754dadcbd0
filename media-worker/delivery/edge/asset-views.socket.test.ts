import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenEdge, openEdge } from './testing/open-edge';
import { type EdgeUpstream, playbackId as id, startTestOrigin } from './testing/origin-behind';

const videoBytes = Buffer.alloc(10_000, 'film');
const open: { close(): Promise<void> }[] = [];
let origin: EdgeUpstream;

const closeLater = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
  const server = await opening;
  open.push(server);
  return server;
};
beforeEach(async () => {
  origin = await closeLater(startTestOrigin());
});
afterEach(async () => {
  for (const server of open.splice(0).reverse()) await server.close();
});

const edgeOf = (upstreamUrl: string) => closeLater(openEdge(upstreamUrl));
const get = async ({ url }: Pick<OpenEdge, 'url'>, path: string, init: RequestInit = {}) =>
  (await fetch(url + path, init)).arrayBuffer();

describe('views of assets', () => {
  const from = (address: string, more: Record<string, string> = {}) => ({
    headers: { 'X-Forwarded-For': address, ...more },
  });

  test('are counted by address and user agent, if the origin trusts the edge', async () => {
    await origin.putAssetFile('video.mp4', videoBytes);
    await origin.putAssetFile('hls/index.m3u8', Buffer.from('#EXTM3U'));
    const edge = await edgeOf(origin.url);
    const hls = `/asset/${id}/index.m3u8`;
    await get(edge, hls, from('1.2.3.4'));
    await get(edge, `/asset/${id}/video`, from('1.2.3.4', { Range: 'bytes=0-' }));
    await get(edge, hls, from('5.6.7.8'));
    for (const target of [`${hls}?preview=a.b`, `/asset/${id}/video?download`, `/asset/${id}/none.m3u8`])
      await get(edge, target, from('9.9.9.9'));
    await get(edge, hls, { method: 'HEAD', ...from('9.9.9.9') });
    // An edge's own requests to the origin are not views.
    expect(origin.startedViews).toEqual([]);
    await edge.viewers.report();
    expect(origin.startedViews).toEqual([id, id]);
    await get(edge, hls, from('1.2.3.4'));
    await edge.viewers.report();
    expect(origin.startedViews).toEqual([id, id]);
  });

  test('are ignored if reported by an untrusted edge, and pass through a chain of edges', async () => {
    const strict = await closeLater(startTestOrigin([]));
    for (const server of [strict, origin]) await server.putAssetFile('video.mp4', videoBytes);
    const [alone, inner] = [await edgeOf(strict.url), await edgeOf(origin.url)];
    const outer = await edgeOf(inner.url);
    for (const edge of [alone, outer, inner]) {
      if (edge !== inner) await get(edge, `/asset/${id}/video`);
      await edge.viewers.report();
    }
    expect(strict.startedViews).toEqual([]);
    expect(origin.startedViews).toEqual([id]);
  });
});
