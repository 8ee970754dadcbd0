import { Readable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import type { EgressReply, EgressRequest } from '@/lib/infra/egress/egress';
import { openEgressSockets } from '@/lib/infra/egress/egress-socket';
import { createLogger } from '@/lib/infra/logger';
import { prefixWithLengths } from '@/media-worker/media/cmaf/nal-units';
import { video } from '@/media-worker/media/packets/testing/packets';
import { WhipReceiver } from '@/media-worker/rtc/testing/whip-receiver';
import { createTargetCodecs } from './target-codecs';
import { WhipTarget } from './whip-target';

/** Tests of a target and a receiver that are connected over the loopback interface. HTTP requests are simulated. */

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const url = 'https://whip.example.com/live';

interface SimulatedEndpoint {
  readonly status?: number;
  /** IP address in the candidates of the answer. */
  readonly address?: string;
  readonly location?: string;
  readonly allowCidrs?: readonly string[];
}

function createTarget({
  status = 201,
  address,
  location = '/session/1',
  allowCidrs = ['127.0.0.1/32'],
}: SimulatedEndpoint = {}) {
  const receiver = new WhipReceiver();
  const requests: { method: string; url: string; token: string | undefined }[] = [];
  const onKeyframeRequest = vi.fn<() => void>();
  const fetch = async (
    requestUrl: string,
    { method = 'GET', headers = {}, body }: EgressRequest,
  ): Promise<EgressReply> => {
    requests.push({ method, url: requestUrl, token: headers.authorization });
    const offer = typeof body === 'string' ? body : '';
    const text = method === 'POST' && status === 201 ? await receiver.answer(offer, address) : '';
    return { status, statusText: '', headers: { location }, url, body: Readable.from([Buffer.from(text)]) };
  };
  const target = new WhipTarget({
    id: 'target',
    host: '127.0.0.1',
    destination: { kind: 'whip', tls: true, host: 'whip.example.com', port: 443, url, token: 'secret' },
    codecs: createTargetCodecs(null, { hasVideo: true, hasAudio: true }),
    egress: { fetch },
    sockets: openEgressSockets({ allowCidrs }),
    clock: systemClock,
    log: createLogger('rtc', 'silent'),
    onKeyframeRequest,
  });
  closers.push(
    () => receiver.close(),
    () => target.close(),
  );
  let sentCount = 0;
  /** Sends the next frame and the audio of the same time. Every tenth frame is a keyframe. */
  const sendNextFrame = () => {
    const ms = (sentCount * 100) / 3;
    const key = sentCount % 10 === 0;
    sentCount += 1;
    // An Opus packet of silence.
    target.sendAudio(Buffer.from([0xfc, 0xff, 0xfe]), ms);
    target.sendVideo({
      ...video(ms, key),
      payload: prefixWithLengths([Buffer.from([key ? 0x65 : 0x41, 0, 1])]),
    });
  };
  return { target, receiver, requests, onKeyframeRequest, sendNextFrame };
}

test('a WHIP target sends media, passes on keyframe requests, and deletes its session once, with the token', async () => {
  const { target, receiver, requests, onKeyframeRequest, sendNextFrame } = createTarget();
  expect(await target.connect()).toBeNull();
  await expect
    .poll(() => {
      sendNextFrame();
      return receiver.packetCount;
    })
    .toBeGreaterThan(5);
  expect(target.sentBytes).toBeGreaterThan(0);
  expect(onKeyframeRequest).not.toHaveBeenCalled();
  await expect
    .poll(() => {
      receiver.requestKeyframe();
      return onKeyframeRequest.mock.calls.length;
    })
    .toBeGreaterThan(0);
  await target.close();
  await target.close();
  expect(requests).toEqual([
    { method: 'POST', url, token: 'Bearer secret' },
    { method: 'DELETE', url: 'https://whip.example.com/session/1', token: 'Bearer secret' },
  ]);
});

test('the token is not sent to a session on another server', async () => {
  const { target, requests } = createTarget({ location: 'https://other.example.com/session/1' });
  expect(await target.test()).toEqual({ outcome: 'accepted' });
  expect(requests[1]).toEqual({
    method: 'DELETE',
    url: 'https://other.example.com/session/1',
    token: undefined,
  });
});

test.each([
  ['a private address', { address: '10.1.2.3' }],
  ['the address of cloud metadata', { address: '169.254.169.254' }],
  ['the loopback address, which is not allowed', { allowCidrs: [] }],
])('%s in the answer is rejected, and the session is deleted', async (_name, endpoint) => {
  const { target, requests, receiver } = createTarget(endpoint);
  expect(await target.connect()).toEqual({ outcome: 'address_not_public' });
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  expect(receiver.packetCount).toBe(0);
});

test.each([
  [401, { outcome: 'token_rejected', detail: 'status 401' }],
  [403, { outcome: 'token_rejected', detail: 'status 403' }],
  [404, { outcome: 'endpoint_missing', detail: 'status 404' }],
  [410, { outcome: 'endpoint_missing', detail: 'status 410' }],
  [405, { outcome: 'handshake_failed' }],
  [406, { outcome: 'codec_refused' }],
  [409, { outcome: 'publish_rejected', detail: 'status 409' }],
  [503, { outcome: 'endpoint_failed', detail: 'status 503' }],
])('status %i is reported as the reason of the failure', async (status, finding) => {
  const { target, requests } = createTarget({ status });
  expect(await target.connect()).toEqual(finding);
  expect(requests).toHaveLength(1);
});
