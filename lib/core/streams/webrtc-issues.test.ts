import { expect, it } from 'vitest';
import { playsOverWebrtc, webrtcIssues, wrongOrderIssue } from './webrtc-issues';

it.each([
  ['no issues', [], true],
  ['silent WebRTC viewers', [webrtcIssues.noAudio('no encoder')], true],
  ['B-frames', ['other', webrtcIssues.bFrames], false],
  ['B-frames with wrong times', [wrongOrderIssue], false],
] as const)('a stream with %s may be offered over WebRTC: $2', (_name, issues, isOffered) => {
  expect(playsOverWebrtc(issues)).toBe(isOffered);
});
