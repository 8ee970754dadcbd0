import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenEdge, openEdge } from './testing/open-edge';
import { type EdgeUpstream, playbackId, startTestOrigin } from './testing/test-origin';

const videoBytes = Buffer.alloc(10_000, 'video');
const servers: { close(): Promise<void> }[] = [];
let origin: EdgeUpstream;

const closeLater = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
  const server = await opening;
  servers.push(server);
  return server;
};
beforeEach(async () => {
  origin = await closeLater(startTestOrigin());
});
afterEach(async () => {
  for (const server of servers.splice(0).reverse()) await server.close();
});

const startEdgeOf = (upstreamUrl: string) => closeLater(openEdge(upstreamUrl));
const get = async ({ url }: Pick<OpenEdge, 'url'>, path: string, init: RequestInit = {}) =>
  (await fetch(url + path, init)).arrayBuffer();

describe('views of assets', () => {
  const requestFrom = (address: string, headers: Record<string, string> = {}) => ({
    headers: { 'X-Forwarded-For': address, ...headers },
  });

  test('are counted once per viewer, if the origin trusts the edge', async () => {
    await origin.putAssetFile('video.mp4', videoBytes);
    await origin.putAssetFile('hls/index.m3u8', Buffer.from('#EXTM3U'));
    const edge = await startEdgeOf(origin.url);
    const playlistPath = `/asset/${playbackId}/index.m3u8`;
    await get(edge, playlistPath, requestFrom('1.2.3.4'));
    await get(edge, `/asset/${playbackId}/video`, requestFrom('1.2.3.4', { Range: 'bytes=0-' }));
    await get(edge, playlistPath, requestFrom('5.6.7.8'));
    for (const path of [
      `${playlistPath}?preview=a.b`,
      `/asset/${playbackId}/video?download`,
      `/asset/${playbackId}/none.m3u8`,
    ])
      await get(edge, path, requestFrom('9.9.9.9'));
    await get(edge, playlistPath, { method: 'HEAD', ...requestFrom('9.9.9.9') });
    // An edge's own requests to the origin are not views.
    expect(origin.startedViews).toEqual([]);
    await edge.viewers.report();
    expect(origin.startedViews).toEqual([playbackId, playbackId]);
    await get(edge, playlistPath, requestFrom('1.2.3.4'));
    await edge.viewers.report();
    expect(origin.startedViews).toEqual([playbackId, playbackId]);
  });

  test('are ignored if reported by an untrusted edge, and pass through a chain of edges', async () => {
    const untrustingOrigin = await closeLater(startTestOrigin([]));
    for (const server of [untrustingOrigin, origin]) await server.putAssetFile('video.mp4', videoBytes);
    const [untrustedEdge, innerEdge] = [
      await startEdgeOf(untrustingOrigin.url),
      await startEdgeOf(origin.url),
    ];
    const outerEdge = await startEdgeOf(innerEdge.url);
    for (const edge of [untrustedEdge, outerEdge, innerEdge]) {
      if (edge !== innerEdge) await get(edge, `/asset/${playbackId}/video`);
      await edge.viewers.report();
    }
    expect(untrustingOrigin.startedViews).toEqual([]);
    expect(origin.startedViews).toEqual([playbackId]);
  });
});
