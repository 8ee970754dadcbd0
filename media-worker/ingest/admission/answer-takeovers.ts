import { readTakeoverRequest, takeoverPath } from '@/lib/domain/nodes';
import { errorAnswer, jsonAnswer } from '@/media-worker/kit/http/answer';
import type { InternalWrites } from '@/media-worker/kit/http/internal-writes';
import type { LiveDrain } from '@/media-worker/live/session/live-drain';
import type { LiveSessions } from '@/media-worker/live/session/live-sessions';

/** Handles `requestTakeover` requests of other nodes. */
export function answerTakeovers(
  sessions: Pick<LiveSessions, 'answerTakeover'>,
  drain: Pick<LiveDrain, 'draining'>,
): InternalWrites {
  const answer = (body: string) => {
    const request = readTakeoverRequest(body);
    if (!request) return errorAnswer(400, 'Not a takeover request of this version.');
    return jsonAnswer(200, { answer: sessions.answerTakeover(request, drain.draining) });
  };
  return { [takeoverPath]: (body) => Promise.resolve(answer(body)) };
}
