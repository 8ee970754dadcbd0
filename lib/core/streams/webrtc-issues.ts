import { formatHint } from './stream-doctor';

/** Issues that limit playback over WebRTC. Playback over HLS is not affected. */
export const webrtcIssues = {
  bFrames: formatHint(
    'WebRTC cannot play B-frames: set them to 0 in the encoder, or viewers get HLS instead',
  ),
  noAudio: (details: string): string =>
    formatHint(`WebRTC viewers hear no audio, because it could not be encoded as Opus: ${details}`),
} as const;

/** Whether a live stream with these issues can be offered over WebRTC. */
export const playsOverWebrtc = (issues: readonly string[]): boolean => !issues.includes(webrtcIssues.bFrames);
