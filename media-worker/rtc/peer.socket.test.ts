import { Video } from 'node-datachannel';
import { expect, test } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import { Peer } from './peer';
import { ViewerClient } from './testing/viewer-client';

const rtpPacket = Buffer.concat([Buffer.from([0x80, 109]), Buffer.alloc(30)]);

/**
 * Connects a viewer.
 * @returns whether a packet can be sent when the connection is reported
 */
async function sendWhenConnected(): Promise<boolean> {
  const client = new ViewerClient();
  let isSent: boolean | undefined;
  const options = { id: 'a', port: null, host: '127.0.0.1', log: createLogger('rtc', 'silent') };
  const peer = new Peer(
    { ...options, connectTimeoutMs: 60_000 },
    { onConnected: () => (isSent = track.send(rtpPacket)), onEnd: () => (isSent ??= false) },
  );
  const video = new Video('0', 'SendOnly');
  video.addH264Codec(109);
  video.addSSRC(1, 'name', 'stream', 'track');
  const track = peer.addTrack(video);
  try {
    client.accept(await peer.answer(await client.offer()));
    await expect.poll(() => isSent).toBeDefined();
    return isSent === true;
  } finally {
    peer.close();
    client.close();
  }
}

// The library opens tracks on another thread, which is only sometimes late, so one connection would prove little.
test('the tracks of a peer are open when it is connected', async () => {
  for (let count = 0; count < 40; count += 1) expect(await sendWhenConnected()).toBe(true);
});
