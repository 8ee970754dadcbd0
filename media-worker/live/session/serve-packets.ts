import type { RequestListener, ServerResponse } from 'node:http';
import type { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { sendFlv } from '@/media-worker/media/packets/send-flv';
import { errorAnswer, send } from '@/media-worker/kit/http/answer';
import type { LiveSession } from './live-session';

/** Path at which other processes read the packets of a rendition: `/packets/<playback id>/<folder of the rendition>`. */
const packetsPath = /^\/packets\/([a-z0-9]{16})\/([\w~-]{1,200})$/;

type FindSession = (playbackId: string) => Pick<LiveSession, 'renditions'> | undefined;

/**
 * Serves processes that forward a rendition, for example to viewers over WebRTC: its packets as FLV, from the current GOP
 * until the stream ends. `next` answers all other requests.
 */
export function servePackets(findSession: FindSession, next: RequestListener): RequestListener {
  return (request, response) => {
    const [, playbackId, folder] = packetsPath.exec(request.url ?? '') ?? [];
    if (playbackId === undefined || folder === undefined) next(request, response);
    else {
      const bus = busOf(findSession(playbackId), folder);
      if (bus) void sendPackets(response, bus);
      else send(response, errorAnswer(404, 'No live stream at this URL.'));
    }
  };
}

function busOf(session: Pick<LiveSession, 'renditions'> | undefined, folder: string): PacketBus | null {
  let current: PacketBus | null = null;
  // The current bus is passed at once; the returned function unsubscribes.
  session?.renditions.findByFolder(folder)?.onSessionBus((bus) => (current = bus))();
  return current;
}

async function sendPackets(response: ServerResponse, bus: PacketBus): Promise<void> {
  await sendFlv(response, bus.openReader());
  response.end();
}
