import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import type { SystemContext } from '@/lib/domain/context';
import { createLogger } from '@/lib/infra/logger';
import { createSecrets } from '@/lib/infra/secrets';
import { encodeFlvHeader, encodeRelayTag } from '@/media-worker/media/packets/flv-writer';
import { video, videoConfig } from '@/media-worker/media/packets/testing/packets';
import { type FeedAddress, LiveFeeds } from './live-feeds';

let feedAddress: FeedAddress;
let requests: ServerResponse[];
let closeServer: () => void;
beforeEach(async () => {
  requests = [];
  const server = createServer((_request, response) => {
    requests.push(response);
    response.write(encodeFlvHeader({ video: true, audio: true }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  feedAddress = {
    liveUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path: '/packets/a/source',
  };
  closeServer = () => {
    server.close();
    server.closeAllConnections();
  };
});
afterEach(() => closeServer());

const createFeeds = () =>
  new LiveFeeds({
    clock: systemClock,
    log: createLogger('rtc', 'silent'),
    secrets: createSecrets('a'.repeat(32)),
    settings: {},
  } as SystemContext);

test('viewers share a feed, including one that replaces a stopped feed', async () => {
  const feeds = createFeeds();
  const firstFeed = await feeds.join(feedAddress);
  firstFeed?.leave();
  const secondFeed = await feeds.join(feedAddress);
  await expect.poll(() => firstFeed?.bus.ended).toBe(true);
  const thirdFeed = await feeds.join(feedAddress);
  expect(thirdFeed?.bus).toBe(secondFeed?.bus);
  expect(requests).toHaveLength(2);
});

test('a viewer that joins while the last one leaves gets packets', async () => {
  const feeds = createFeeds();
  const firstFeed = await feeds.join(feedAddress);
  const joining = feeds.join(feedAddress);
  firstFeed?.leave();
  const secondFeed = await joining;
  let receivedCount = 0;
  secondFeed?.bus.subscribe({ packet: () => (receivedCount += 1), end: () => undefined });
  for (const packet of [videoConfig(), video(0, true)]) requests.at(-1)?.write(encodeRelayTag(packet));
  // The codec configuration and one frame.
  await expect.poll(() => receivedCount, { timeout: 5_000 }).toBe(2);
  secondFeed?.leave();
  await expect.poll(() => secondFeed?.bus.ended).toBe(true);
});

test('a failed request to the live process is repeated for the next viewer', async () => {
  const feeds = createFeeds();
  closeServer();
  const joinWithError = () => feeds.join(feedAddress).catch((error: unknown) => error);
  const firstError = await joinWithError();
  const secondError = await joinWithError();
  expect(String(firstError)).toContain('ECONNREFUSED');
  expect(String(secondError)).toContain('ECONNREFUSED');
  // A remembered failure would be the same object.
  expect(secondError).not.toBe(firstError);
});
