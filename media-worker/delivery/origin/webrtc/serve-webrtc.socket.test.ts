import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Answer } from '@/media-worker/kit/http/answer';
import type { RtcRequest } from '@/media-worker/rtc/rtc-request';
import { serveWebrtc, type ServeWebrtcOptions, webrtcHeaders } from './serve-webrtc';

const offerHeaders = { 'content-type': 'application/sdp' };
const fragmentHeaders = { 'content-type': 'application/trickle-ice-sdpfrag', 'if-match': '"e"' };
const createdAnswer: Answer = { status: 201, headers: { Location: '/webrtc/session/s' }, body: [] };

interface TestRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function openWebrtc(change: Partial<ServeWebrtcOptions> = {}) {
  const requests: RtcRequest[] = [];
  const options: ServeWebrtcOptions = {
    ask: (request) => {
      requests.push(request);
      return Promise.resolve(createdAnswer);
    },
    iceServers: () => [],
    addressOf: () => '192.0.2.1',
    log: { warn: () => undefined },
    ...change,
  };
  const request = ({ method, url, headers = {}, body = '' }: TestRequest) => {
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
    const { request, requests } = openWebrtc();
    const answer = await request({
      method: 'POST',
      url,
      headers: { ...offerHeaders, ...headers },
      body: 'v=0',
    });
    expect(answer).toMatchObject({
      status: 201,
      headers: { Location: '/webrtc/session/s', 'Accept-Patch': fragmentHeaders['content-type'] },
    });
    expect(requests).toEqual([{ kind: 'publish', streamKey: 'abcd-ef12', ip: '192.0.2.1', offer: 'v=0' }]);
  });

  test('for a playback id watches, once the viewer is admitted', async () => {
    const url = '/webrtc/abcdefghijklmnop';
    const offer = { method: 'POST', url, headers: offerHeaders, body: 'v=0' };
    expect((await openWebrtc().request(offer)).status).toBe(404);
    const rejection: Answer = { status: 403 };
    expect(await openWebrtc({ admitViewer: () => Promise.resolve(rejection) }).request(offer)).toBe(
      rejection,
    );
    const viewer = { liveUrl: 'http://live', onOpen: () => undefined };
    const { request, requests } = openWebrtc({ admitViewer: () => Promise.resolve(viewer) });
    await request(offer);
    expect(requests).toEqual([
      { kind: 'watch', playbackId: 'abcdefghijklmnop', live: 'http://live', ip: '192.0.2.1', offer: 'v=0' },
    ]);
  });

  test.each([
    ['without a key', { url: '/webrtc', headers: offerHeaders }, 404],
    ['with a key of two segments', { url: '/webrtc/a/b', headers: offerHeaders }, 404],
    ['with an invalid encoding', { url: '/webrtc/%zz', headers: offerHeaders }, 404],
    ['of another content type', { url: '/webrtc/key', headers: { 'content-type': 'application/json' } }, 415],
    ['that is too long', { url: '/webrtc/key', headers: offerHeaders, body: 'x'.repeat(65_537) }, 413],
  ])('%s is rejected', async (_, badRequest, status) => {
    const { request, requests } = openWebrtc();
    expect((await request({ method: 'POST', body: 'v=0', ...badRequest })).status).toBe(status);
    expect(requests).toEqual([]);
  });

  test('can be retried if the rtc process does not respond', async () => {
    const { request } = openWebrtc({ ask: () => Promise.reject(new Error('gone')) });
    const answer = await request({ method: 'POST', url: '/webrtc/key', headers: offerHeaders, body: 'v=0' });
    expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': 2 } });
  });
});

describe('a session', () => {
  const url = '/webrtc/session/abc_-1';

  test('accepts candidates, and is closed', async () => {
    const { request, requests } = openWebrtc();
    await request({ method: 'PATCH', url, headers: fragmentHeaders, body: 'a=x:y' });
    await request({ method: 'DELETE', url });
    expect(requests).toEqual([
      { kind: 'trickle', id: 'abc_-1', ifMatch: '"e"', fragment: 'a=x:y' },
      { kind: 'close', id: 'abc_-1' },
    ]);
  });

  test.each([
    ['PATCH', offerHeaders, 415],
    ['POST', offerHeaders, 405],
    ['GET', {}, 405],
  ])('a request %s with the headers %j is answered with %i', async (method, headers, status) => {
    expect((await openWebrtc().request({ method, url, headers })).status).toBe(status);
  });
});

describe('browsers', () => {
  test('of other sites learn the accepted methods and the ICE servers', async () => {
    const iceServers = [
      { url: 'stun:stun.example.com', login: null },
      { url: 'turn:turn.example.com:3478?transport=udp', login: { username: 'a"b', credential: 'c\\d' } },
    ];
    const { request } = openWebrtc({ iceServers: () => iceServers });
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
      ['/webrtc/right', '/webrtc/wrong'].map((url) => openWebrtc().request({ method: 'HEAD', url })),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ status: 200, headers: { 'Accept-Post': 'application/sdp' } });
    expect((await openWebrtc().request({ method: 'GET', url: '/webrtc/right' })).status).toBe(405);
  });
});
