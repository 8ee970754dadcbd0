import { mp4UrlOf, playbackUrlOf } from '@/lib/domain/assets';
import type { Settings } from '@/lib/infra/env';
import { type EmitRecordingEvent, recordingUrls, serializeSession } from '@/lib/domain/sessions';
import { emitEvent } from '@/lib/domain/webhooks';
import { readStreamEventFields } from '@/lib/domain/streams/stream-event-fields';

/** Emits an event about a recording, with its session and, for `recording.ready`, its URLs. */
export const emitRecordingEvent: EmitRecordingEvent = async (tx, change, asset) => {
  if (!change) return;
  const { eventName } = change;
  const stream = await tx.db.stream.update({
    where: { id: change.session.parentId },
    data: { eventSequence: { increment: 1 } },
  });
  const eventFields = await readStreamEventFields(tx, stream);
  const sessionObject = serializeSession({ ...change.session, parent: stream }, tx.settings);
  const session = { ...sessionObject, ...(asset ? { assetId: asset.id } : {}) };
  if (eventName !== 'recording.ready')
    return emitEvent(tx, { ...eventFields, name: eventName, payload: { session } });
  // The recording of a deleted stream is deleted too, so the event names the URLs of its asset, which has the same files.
  const urls =
    asset && stream.deletedAt !== null
      ? assetUrls(tx.settings, asset.playbackId)
      : recordingUrls(tx.settings, session.id);
  const { recordingUrl, mp4Url } = urls;
  const payload = { recordingUrl, mp4Url, session: { ...session, ...urls } };
  return emitEvent(tx, { ...eventFields, name: eventName, payload });
};

function assetUrls(settings: Settings, playbackId: string): ReturnType<typeof recordingUrls> {
  const mp4 = mp4UrlOf(settings, playbackId);
  return { recordingUrl: playbackUrlOf(settings, playbackId), mp4URL: mp4, mp4Url: mp4 };
}
