import type { Settings } from '@/lib/infra/env';

/** Playback URLs of a session's recording, with the MP4 under both of its names. */
export function recordingAddresses({ cdnUrl }: Pick<Settings, 'cdnUrl'>, sessionId: string) {
  const folder = `${cdnUrl}/recordings/${sessionId}`;
  const mp4 = `${folder}/source.mp4`;
  return { recordingUrl: `${folder}/index.m3u8`, mp4URL: mp4, mp4Url: mp4 };
}
