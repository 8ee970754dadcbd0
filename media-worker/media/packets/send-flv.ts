import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { flvHeader, relayTag } from './flv-writer';
import type { BusReader } from './packet-queue';

/**
 * Sends the packets of `reader` to another process as FLV, until the bus or the connection ends. The response stays
 * open, and the caller ends it with the reason.
 */
export async function sendFlv(response: ServerResponse, reader: BusReader): Promise<void> {
  const closed = new AbortController();
  response.on('close', () => {
    reader.close();
    closed.abort();
  });
  response.writeHead(200, { 'Content-Type': 'video/x-flv' });
  response.write(flvHeader({ video: true, audio: true }));
  for (let packet = await reader.next(); packet && !response.destroyed; packet = await reader.next()) {
    const tag = relayTag(packet);
    if (tag && !response.write(tag))
      await once(response, 'drain', { signal: closed.signal }).catch(() => undefined);
  }
}
