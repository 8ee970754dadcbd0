import { hint } from './stream-doctor';

/** Reasons why a stream can't be watched over WebRTC; it still plays over HLS. */
export const webrtcIssues = {
  bFrames: hint('WebRTC cannot play B-frames: set them to 0 in the encoder, or viewers get HLS instead'),
  noAudio: (details: string): string =>
    hint(`WebRTC viewers hear no audio, because it could not be encoded as Opus: ${details}`),
} as const;

/** Whether a live stream with these issues can be offered over WebRTC. */
export const playsOverWebrtc = (issues: readonly string[]): boolean => !issues.includes(webrtcIssues.bFrames);
