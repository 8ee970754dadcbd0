import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { parsePullSource, type HttpSource } from '@/lib/core/streams/pull/pull-source';
import { openEgress } from '@/lib/infra/egress/egress';
import { openHlsProxy, type HlsProxy } from './hls-proxy';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

interface SourceResponse {
  readonly status?: number;
  readonly location?: string;
  readonly body?: string;
}

/** Starts a web server, and a proxy for a pull of its `/index.m3u8`. */
async function openProxyFor(answer: (path: string) => SourceResponse) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const { status = 200, location, body = '' } = answer(request.url ?? '');
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const egress = openEgress({ allowCidrs: ['127.0.0.1/32'] });
  const source = parsePullSource(`${origin}/index.m3u8?key=secret`) as HttpSource;
  const proxy = await openHlsProxy({ egress, source, headers: { 'x-token': 'secret' } });
  closing.push(
    () => proxy.close(),
    () => egress.close(),
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return { proxy, origin, requests };
}

/** Requests a path from the proxy, as ffmpeg does. */
async function fetchVia(
  { proxyUrl: proxy }: HlsProxy,
  path: string,
): Promise<{ status: number; body: string }> {
  const request = get({ host: '127.0.0.1', port: new URL(proxy).port, path });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() };
}

test('a playlist contains only URLs of the proxy, which lead to its segments', async () => {
  const { proxy, requests } = await openProxyFor((path) =>
    path.startsWith('/index')
      ? { body: '#EXTM3U\n#EXTINF:1,\nseg/1.ts?t=2\n' }
      : { body: 'media of the segment' },
  );
  const { body } = await fetchVia(proxy, proxy.url);
  expect(body).toBe('#EXTM3U\n#EXTINF:1,\nhttp://pull.invalid/1.ts\n');
  expect(await fetchVia(proxy, 'http://pull.invalid/1.ts')).toEqual({
    status: 200,
    body: 'media of the segment',
  });
  expect(requests.map(({ url }) => url)).toEqual(['/index.m3u8?key=secret', '/seg/1.ts?t=2']);
  expect(requests.map(({ headers }) => headers['x-token'])).toEqual(['secret', 'secret']);
});

test.each([
  'http://pull.invalid/2.ts',
  'http://10.0.0.1/1.ts',
  'http://169.254.169.254/latest/meta-data/',
  '/1.ts',
  'http://pull.invalid:81/0.m3u8',
  'http://pull.invalid/0.m3u8/x',
])('%s is rejected, because no playlist contained it', async (path) => {
  const { proxy, requests } = await openProxyFor(() => ({ body: '#EXTM3U\n' }));
  expect((await fetchVia(proxy, path)).status).toBe(403);
  expect(requests).toEqual([]);
});

test('a redirect to a private network and a segment in one are rejected', async () => {
  const { proxy } = await openProxyFor(() => ({ status: 302, location: 'http://10.0.0.1/index.m3u8' }));
  expect((await fetchVia(proxy, proxy.url)).status).toBe(502);
  expect(proxy.finding).toEqual({ outcome: 'address_not_public' });
  const privateSegment = await openProxyFor(() => ({
    body: '#EXTM3U\n#EXTINF:1,\nhttp://10.0.0.1/secret.ts\n',
  }));
  await fetchVia(privateSegment.proxy, privateSegment.proxy.url);
  expect((await fetchVia(privateSegment.proxy, 'http://pull.invalid/1.ts')).status).toBe(502);
});

test('a playlist with DRM, a playlist that is too long, and an HTTP error are reported', async () => {
  const drmSource = await openProxyFor(() => ({
    body: '#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x"\n',
  }));
  await fetchVia(drmSource.proxy, drmSource.proxy.url);
  expect(drmSource.proxy.finding).toMatchObject({
    outcome: 'not_readable',
    detail: 'its media is encrypted with DRM',
  });
  const longPlaylistSource = await openProxyFor(() => ({
    body: `#EXTM3U\n${'#EXTINF:1,\n'.repeat(120_000)}`,
  }));
  await fetchVia(longPlaylistSource.proxy, longPlaylistSource.proxy.url);
  expect(longPlaylistSource.proxy.finding).toMatchObject({ outcome: 'not_readable' });
  const missingSource = await openProxyFor(() => ({ status: 404 }));
  expect((await fetchVia(missingSource.proxy, missingSource.proxy.url)).status).toBe(404);
  expect(missingSource.proxy.finding).toEqual({ outcome: 'not_found' });
});
