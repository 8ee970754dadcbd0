import type { Asset } from '@/lib/contract/asset';
import type { Session } from '@/lib/contract/session';
import type { Stream } from '@/lib/contract/stream';

interface RecordingStepWords {
  readonly state: 'done' | 'now' | 'later';
  readonly text: string;
}

/** How far the newest recording is, in the order in which it comes about. */
export function recordingStep(
  stream: Pick<Stream, 'record' | 'isActive'> | undefined,
  session: Pick<Session, 'recordingStatus'> | undefined,
  asset: Pick<Asset, 'status'> | undefined,
): RecordingStepWords {
  if (asset?.status.phase === 'ready')
    return { state: 'done', text: 'Recordings and uploads play, download and export under Assets.' };
  if (asset?.status.phase === 'processing') {
    const percent = Math.floor((asset.status.progress ?? 0) * 100);
    return { state: 'now', text: `The recording is being made: ${percent} %.` };
  }
  if (stream?.isActive && stream.record)
    return { state: 'now', text: 'It is being recorded. Stop sending, and the recording becomes a video.' };
  if (session?.recordingStatus === 'waiting')
    return {
      state: 'now',
      text: 'The recording is made when the encoder has been away for some minutes: one that comes back goes on with the same recording.',
    };
  if (stream && !stream.record)
    return {
      state: 'later',
      text: 'Switch recording on on the page of the stream, and what you send next is kept. Or upload a video.',
    };
  return { state: 'later', text: 'What you send is recorded and becomes a video afterwards. Or upload one.' };
}
