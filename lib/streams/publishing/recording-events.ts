import type { SystemContext } from '@/lib/context';
import type { Transaction } from '@/lib/infra/db';
import type { RecordingChange } from '@/lib/recordings/state';
import { recordingAddresses, serializeSession } from '@/lib/sessions';
import { emitEvent } from '@/lib/webhooks';
import { aboutStream } from '@/lib/streams/about-stream';

/**
 * Writes the event of a change just made to a session's recording, in the same transaction.
 * @param asset the asset created from the recording
 */
export async function emitRecordingEvent(
  tx: SystemContext & { readonly db: Transaction },
  news: RecordingChange | null,
  asset?: { readonly id: string },
): Promise<void> {
  if (!news) return;
  const { name } = news;
  const stream = await tx.db.stream.update({
    where: { id: news.session.parentId },
    data: { eventSequence: { increment: 1 } },
  });
  const event = await aboutStream(tx, stream);
  const session = {
    ...serializeSession(news.session, tx.settings),
    ...(asset ? { assetId: asset.id } : {}),
  };
  if (name !== 'recording.ready') return emitEvent(tx, { ...event, name, payload: { session } });
  const { recordingUrl, mp4Url } = recordingAddresses(tx.settings, session.id);
  return emitEvent(tx, { ...event, name, payload: { recordingUrl, mp4Url, session } });
}
