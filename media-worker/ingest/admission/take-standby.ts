import type { SystemContext } from '@/lib/domain/context';
import { readStandbyOffer, standbysPath, type StandbyOffer } from '@/lib/domain/nodes';
import { errorAnswer, jsonAnswer } from '@/media-worker/kit/http/answer';
import type { InternalWrites } from '@/media-worker/kit/http/internal-writes';
import type { LiveSessions } from '@/media-worker/live/session/live-sessions';
import { RemoteEncoder } from './remote-encoder';

/** Handles `offerStandby` requests at the node that has the stream. */
export function answerStandbys(
  ctx: SystemContext,
  sessions: Pick<LiveSessions, 'admit' | 'byStream'>,
): InternalWrites {
  const takeStandby = async (offer: StandbyOffer): Promise<boolean> => {
    const { streamId, run: publishNumber, isBackup, url } = offer;
    const liveSession = sessions.byStream(streamId);
    if (
      !liveSession ||
      liveSession.isOver ||
      liveSession.isEnding ||
      liveSession.publish.publishNumber !== publishNumber
    )
      return false;
    const encoder = new RemoteEncoder(ctx, offer);
    const sink = await sessions.admit(encoder, { streamId, isBackup });
    if (sink === null || 'rejected' in sink) return false;
    encoder.relayFrom(url, sink);
    return true;
  };
  const answer = async (body: string) => {
    const offer = readStandbyOffer(body);
    if (!offer) return errorAnswer(400, 'Not a standby offer of this version.');
    return (await takeStandby(offer))
      ? jsonAnswer(200, { ok: true })
      : errorAnswer(409, 'No standby is taken.');
  };
  return { [standbysPath]: answer };
}
