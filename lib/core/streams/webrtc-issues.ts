import { formatHint } from './stream-doctor';

/** Issues that limit playback over WebRTC. Playback over HLS is not affected. */
export const webrtcIssues = {
  bFrames: formatHint(
    'WebRTC cannot play B-frames: set them to 0 in the encoder, or viewers get HLS instead',
  ),
  noAudio: (details: string): string =>
    formatHint(`WebRTC viewers hear no audio, because it could not be encoded as Opus: ${details}`),
} as const;

/** The issue of B-frames that no player shows in the right order, because their times are wrong. */
export const wrongOrderIssue =
  'B-frames have wrong presentation times, so pictures are shown in the wrong order; set B-frames to 0 in the encoder';

/** Whether a live stream with these issues can be offered over WebRTC, which has no B-frames. */
export const playsOverWebrtc = (issues: readonly string[]): boolean =>
  ![webrtcIssues.bFrames, wrongOrderIssue].some((issue) => issues.includes(issue));
