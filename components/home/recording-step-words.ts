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
    return { state: 'done', text: 'Play, download and export recordings and uploads under Assets.' };
  if (asset?.status.phase === 'processing') {
    const percent = Math.floor((asset.status.progress ?? 0) * 100);
    return { state: 'now', text: `Processing the recording: ${percent} %.` };
  }
  if (stream?.isActive && stream.record)
    return { state: 'now', text: 'Recording now. Stop the stream to turn the recording into a video.' };
  if (session?.recordingStatus === 'waiting')
    return {
      state: 'now',
      text: 'The recording is finished a few minutes after the encoder disconnects. If it reconnects before, the recording continues.',
    };
  if (stream && !stream.record)
    return {
      state: 'later',
      text: 'Turn on recording on the stream’s page to keep new sessions, or upload a video.',
    };
  return {
    state: 'later',
    text: 'New sessions are recorded and become videos. You can also upload a video.',
  };
}
