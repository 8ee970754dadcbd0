import { mp4UrlOf, playbackUrlOf } from '@/lib/domain/assets';
import type { Settings } from '@/lib/infra/env';
import { type EmitRecordingEvent, recordingAddresses, serializeSession } from '@/lib/domain/sessions';
import { emitEvent } from '@/lib/domain/webhooks';
import { aboutStream } from '@/lib/domain/streams/about-stream';

export const emitRecordingEvent: EmitRecordingEvent = async (tx, change, asset) => {
  if (!change) return;
  const { name } = change;
  const stream = await tx.db.stream.update({
    where: { id: change.session.parentId },
    data: { eventSequence: { increment: 1 } },
  });
  const event = await aboutStream(tx, stream);
  const sessionObject = serializeSession({ ...change.session, parent: stream }, tx.settings);
  const session = { ...sessionObject, ...(asset ? { assetId: asset.id } : {}) };
  if (name !== 'recording.ready') return emitEvent(tx, { ...event, name, payload: { session } });
  // The recording of a deleted stream is deleted too, so the event names the URLs of its asset, which has the same files.
  const addresses =
    asset && stream.deletedAt !== null
      ? assetAddresses(tx.settings, asset.playbackId)
      : recordingAddresses(tx.settings, session.id);
  const { recordingUrl, mp4Url } = addresses;
  const payload = { recordingUrl, mp4Url, session: { ...session, ...addresses } };
  return emitEvent(tx, { ...event, name, payload });
};

function assetAddresses(settings: Settings, playbackId: string): ReturnType<typeof recordingAddresses> {
  const mp4 = mp4UrlOf(settings, playbackId);
  return { recordingUrl: playbackUrlOf(settings, playbackId), mp4URL: mp4, mp4Url: mp4 };
}
