import type { SystemContext } from '@/lib/domain/context';
import { publishesPath, readPublishRequest, type RemotePublishResponse } from '@/lib/domain/nodes';
import { errorAnswer, jsonAnswer } from '@/media-worker/kit/http/answer';
import type { InternalWrites } from '@/media-worker/kit/http/internal-writes';
import type { AdmitPublish } from '@/media-worker/media/packets/publish';
import { RemoteEncoder } from './remote-encoder';

/** Handles `requestPublish` requests: publishers of another process are admitted like those of this process. */
export function answerPublishes(ctx: SystemContext, admit: AdmitPublish): InternalWrites {
  const answer = async (body: string) => {
    const request = readPublishRequest(body);
    if (!request) return errorAnswer(400, 'Not a publish request of this version.');
    const { streamKey, ip, tracks, url } = request;
    const encoder = new RemoteEncoder(ctx, request);
    const admission = await admit({ app: 'live', streamKey, ip }, encoder);
    if (admission === null) return reply({ admission: 'unknown' });
    if (admission === 'rejected') return reply({ admission: 'refused' });
    if (admission === 'draining') return reply({ admission });
    admission.announce?.({
      video: tracks.picture,
      audio: tracks.sound && definedOnly(tracks.sound),
    });
    encoder.relayFrom(url, admission);
    return reply({ admission: 'admitted', about: admission.ids });
  };
  return { [publishesPath]: answer };
}

const reply = (answer: RemotePublishResponse) => jsonAnswer(200, answer);

/** The announced audio without undefined fields. */
function definedOnly({
  sampleRate,
  channels,
}: {
  sampleRate?: number | undefined;
  channels?: number | undefined;
}) {
  return { ...(sampleRate !== undefined && { sampleRate }), ...(channels !== undefined && { channels }) };
}
