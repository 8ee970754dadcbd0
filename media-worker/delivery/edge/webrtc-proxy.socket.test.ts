import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { openEdge } from './testing/open-edge';

const viewerPath = '/webrtc/abcd1234efgh5678';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

interface ReceivedRequest extends Pick<IncomingMessage, 'method' | 'url' | 'headers'> {
  readonly body: string;
}

/** An edge in front of an upstream that answers like an origin with WebRTC. */
async function openEdgeWithUpstream(status = 201) {
  const receivedRequests: ReceivedRequest[] = [];
  const upstream = createServer((request, response) => {
    void text(request).then((body) => {
      const { method, url, headers } = request;
      receivedRequests.push({ method, url, headers, body });
      response.writeHead(status, {
        'Content-Type': 'application/sdp',
        Location: '/webrtc/session/x',
        ETag: '"a"',
        Link: '<turn:turn.example:3478>; rel="ice-server"',
        'Access-Control-Allow-Methods': 'POST, HEAD, OPTIONS',
        'X-Internal': 'origin-1',
      });
      response.end(method === 'HEAD' ? undefined : 'answer');
    });
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  closers.push(() => new Promise((resolve) => upstream.close(resolve)));
  const edge = await openEdge(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
  closers.push(() => edge.close());
  const request = (method: string, path: string, init: RequestInit = {}) =>
    fetch(edge.url + path, { method, ...init });
  return { request, receivedRequests };
}

describe('the signalling of a viewer', () => {
  test('passes an edge with the proof and the IP address of the viewer', async () => {
    const { request, receivedRequests } = await openEdgeWithUpstream();
    const response = await request('POST', `${viewerPath}?jwt=proof`, {
      headers: { 'Content-Type': 'application/sdp', 'Livepeer-Jwt': 'proof', Cookie: 'a=b' },
      body: 'offer',
    });
    expect(response.status).toBe(201);
    expect(await response.text()).toBe('answer');
    expect(response.headers.get('Location')).toBe('/webrtc/session/x');
    expect(response.headers.get('Link')).toContain('turn.example');
    expect(response.headers.get('Access-Control-Expose-Headers')).toMatch(/Location.*Link/);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('X-Internal')).toBeNull();
    const [received] = receivedRequests;
    expect(received).toMatchObject({ method: 'POST', url: `${viewerPath}?jwt=proof`, body: 'offer' });
    expect(received?.headers).toMatchObject({ 'content-type': 'application/sdp', 'livepeer-jwt': 'proof' });
    expect(received?.headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(received?.headers.cookie).toBeUndefined();
  });

  test.each([
    ['OPTIONS', viewerPath],
    ['HEAD', viewerPath],
    ['POST', `${viewerPath}/~${'a'.repeat(40)}`],
    ['PATCH', '/webrtc/session/x'],
    ['DELETE', '/webrtc/session/x'],
  ])('%s %s reaches the upstream', async (method, path) => {
    const { request, receivedRequests } = await openEdgeWithUpstream(200);
    expect((await request(method, path)).status).toBe(200);
    expect(receivedRequests.map(({ method, url }) => [method, url])).toEqual([[method, path]]);
  });

  test.each([
    ['POST', '/webrtc/abcd-ef12-3456-7890', 405],
    ['POST', '/webrtc', 405],
    ['GET', viewerPath, 405],
  ])('%s %s is rejected by the edge', async (method, path, status) => {
    const { request, receivedRequests } = await openEdgeWithUpstream();
    expect((await request(method, path)).status).toBe(status);
    expect(receivedRequests).toEqual([]);
  });

  test('is rejected with the status and body of the upstream, or with 413 if the request body is too large', async () => {
    const { request } = await openEdgeWithUpstream(406);
    const rejected = await request('POST', viewerPath, { body: 'offer' });
    expect([rejected.status, await rejected.text()]).toEqual([406, 'answer']);
    const large = await request('POST', viewerPath, { body: 'x'.repeat(70_000) });
    expect(large.status).toBe(413);
  });
});
