import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Answer } from '@/media-worker/kit/http/answer';
import type { RtcRequest } from '@/media-worker/rtc/rtc-request';
import { serveWebrtc, type ServeWebrtc, webrtcHeaders } from './serve-webrtc';

const sdp = { 'content-type': 'application/sdp' };
const fragment = { 'content-type': 'application/trickle-ice-sdpfrag', 'if-match': '"e"' };
const createdAnswer: Answer = { status: 201, headers: { Location: '/webrtc/session/s' }, body: [] };

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function open(change: Partial<ServeWebrtc> = {}) {
  const requests: RtcRequest[] = [];
  const options: ServeWebrtc = {
    ask: (request) => {
      requests.push(request);
      return Promise.resolve(createdAnswer);
    },
    iceServers: () => [],
    addressOf: () => '192.0.2.1',
    log: { warn: () => undefined },
    ...change,
  };
  const request = ({ method, url, headers = {}, body = '' }: Asked) => {
    const stream = Object.assign(Readable.from(body === '' ? [] : [Buffer.from(body)]), {
      method,
      url,
      headers,
    });
    return serveWebrtc(stream as unknown as IncomingMessage, options);
  };
  return { request, requests };
}

describe('an offer', () => {
  test.each([
    ['with the key in the URL', '/webrtc/abcd-ef12', {}],
    ['with an encoded key', '/webrtc/%20abcd%2Def12', {}],
    ['with the key as bearer token', '/webrtc', { authorization: 'Bearer abcd-ef12' }],
  ])('%s publishes', async (_, url, headers) => {
    const { request, requests } = open();
    const answer = await request({ method: 'POST', url, headers: { ...sdp, ...headers }, body: 'v=0' });
    expect(answer).toMatchObject({
      status: 201,
      headers: { Location: '/webrtc/session/s', 'Accept-Patch': fragment['content-type'] },
    });
    expect(requests).toEqual([{ kind: 'publish', streamKey: 'abcd-ef12', ip: '192.0.2.1', offer: 'v=0' }]);
  });

  test('for a playback id watches, once the viewer is admitted', async () => {
    const url = '/webrtc/abcdefghijklmnop';
    const offer = { method: 'POST', url, headers: sdp, body: 'v=0' };
    expect((await open().request(offer)).status).toBe(404);
    const rejection: Answer = { status: 403 };
    expect(await open({ admitViewer: () => Promise.resolve(rejection) }).request(offer)).toBe(rejection);
    const viewer = { liveUrl: 'http://live', onOpen: () => undefined };
    const { request, requests } = open({ admitViewer: () => Promise.resolve(viewer) });
    await request(offer);
    expect(requests).toEqual([
      { kind: 'watch', playbackId: 'abcdefghijklmnop', live: 'http://live', ip: '192.0.2.1', offer: 'v=0' },
    ]);
  });

  test.each([
    ['without a key', { url: '/webrtc', headers: sdp }, 404],
    ['with a key of two segments', { url: '/webrtc/a/b', headers: sdp }, 404],
    ['with an invalid encoding', { url: '/webrtc/%zz', headers: sdp }, 404],
    ['of another content type', { url: '/webrtc/key', headers: { 'content-type': 'application/json' } }, 415],
    ['that is too long', { url: '/webrtc/key', headers: sdp, body: 'x'.repeat(65_537) }, 413],
  ])('%s is rejected', async (_, badRequest, status) => {
    const { request, requests } = open();
    expect((await request({ method: 'POST', body: 'v=0', ...badRequest })).status).toBe(status);
    expect(requests).toEqual([]);
  });

  test('can be retried if the rtc process does not respond', async () => {
    const { request } = open({ ask: () => Promise.reject(new Error('gone')) });
    const answer = await request({ method: 'POST', url: '/webrtc/key', headers: sdp, body: 'v=0' });
    expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': 2 } });
  });
});

describe('a session', () => {
  const url = '/webrtc/session/abc_-1';

  test('accepts candidates, and is closed', async () => {
    const { request, requests } = open();
    await request({ method: 'PATCH', url, headers: fragment, body: 'a=x:y' });
    await request({ method: 'DELETE', url });
    expect(requests).toEqual([
      { kind: 'trickle', id: 'abc_-1', ifMatch: '"e"', fragment: 'a=x:y' },
      { kind: 'close', id: 'abc_-1' },
    ]);
  });

  test.each([
    ['PATCH', sdp, 415],
    ['POST', sdp, 405],
    ['GET', {}, 405],
  ])('%s with %j is %i', async (method, headers, status) => {
    expect((await open().request({ method, url, headers })).status).toBe(status);
  });
});

describe('browsers', () => {
  test('of other sites learn the accepted methods and the ICE servers', async () => {
    const iceServers = [
      { url: 'stun:stun.example.com', login: null },
      { url: 'turn:turn.example.com:3478?transport=udp', login: { username: 'a"b', credential: 'c\\d' } },
    ];
    const { request } = open({ iceServers: () => iceServers });
    const { status, headers = {} } = await request({ method: 'OPTIONS', url: '/webrtc/key' });
    expect(status).toBe(204);
    expect(headers['Access-Control-Allow-Methods']).toBe('POST, HEAD, OPTIONS');
    expect(headers['Access-Control-Allow-Headers']).toMatch(/Authorization, Content-Type, If-Match/);
    expect(headers.Link).toBe(
      '<stun:stun.example.com>; rel="ice-server", ' +
        '<turn:turn.example.com:3478?transport=udp>; rel="ice-server"; username="a\\"b"; credential="c\\\\d"; credential-type="password"',
    );
    const session = await request({ method: 'OPTIONS', url: '/webrtc/session/abc' });
    expect(session.headers?.['Access-Control-Allow-Methods']).toBe('PATCH, DELETE, OPTIONS');
  });

  test('can read the URL of their session', () => {
    expect(webrtcHeaders({ 'X-Request-Id': '1' })).toMatchObject({
      'X-Request-Id': '1',
      'Access-Control-Expose-Headers': expect.stringMatching(/Location, ETag, Link/) as string,
    });
  });

  test('learn with HEAD that the endpoint exists, but nothing about the key', async () => {
    const answers = await Promise.all(
      ['/webrtc/right', '/webrtc/wrong'].map((url) => open().request({ method: 'HEAD', url })),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ status: 200, headers: { 'Accept-Post': 'application/sdp' } });
    expect((await open().request({ method: 'GET', url: '/webrtc/right' })).status).toBe(405);
  });
});
