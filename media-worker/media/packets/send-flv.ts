import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { encodeFlvHeader, encodeRelayTag } from './flv-writer';
import { encodeLayerTag } from './layer-tag';
import type { MediaPacket } from './media-packet';
import type { BusReader } from './packet-queue';

/**
 * Sends the packets of `reader` to another process as FLV, until the bus or the connection ends. The response stays
 * open, and the caller ends it with the reason.
 * @param layers readers of the smaller layers of the video, which are numbered from 1 in this order
 */
export async function sendFlv(
  response: ServerResponse,
  reader: BusReader,
  layers: readonly BusReader[] = [],
): Promise<void> {
  const closing = new AbortController();
  const readers = [reader, ...layers];
  response.on('close', () => {
    for (const openReader of readers) openReader.close();
    closing.abort();
  });
  response.writeHead(200, { 'Content-Type': 'video/x-flv' });
  response.write(encodeFlvHeader({ video: true, audio: true }));
  const send = async (source: BusReader, tagOf: (packet: MediaPacket) => Buffer | null) => {
    for (let packet = await source.next(); packet && !response.destroyed; packet = await source.next()) {
      const tag = tagOf(packet);
      // An abort ends only the wait: the loop then sees the closed connection.
      if (tag && !response.write(tag))
        await once(response, 'drain', { signal: closing.signal }).catch(() => undefined);
    }
  };
  const whenLayersSent = layers.map((layer, index) =>
    send(layer, (packet) => (packet.kind === 'video' ? encodeLayerTag(index + 1, packet) : null)),
  );
  await send(reader, encodeRelayTag);
  for (const layer of layers) layer.close();
  await Promise.all(whenLayersSent);
}
