import { expect, it } from 'vitest';
import { KeyframeGate } from './keyframe-gate';
import { audio, audioConfig, label, video, videoConfig } from './testing/packets';

const labelsOfAccepted = (gate: KeyframeGate, packets: Parameters<typeof label>[0][]): string =>
  packets
    .filter((packet) => gate.accepts(packet))
    .map(label)
    .join(' ');

it('holds back video and audio until a keyframe, and passes configurations', () => {
  const packets = [
    videoConfig(),
    audioConfig(),
    audio(0),
    video(0),
    audio(20),
    video(40, true),
    audio(43),
    video(80),
  ];
  expect(labelsOfAccepted(new KeyframeGate(), packets)).toBe('VC AC K40 A43 V80');
});

it('passes all audio of a stream without video', () => {
  expect(labelsOfAccepted(new KeyframeGate(), [audioConfig(), audio(0), audio(23)])).toBe('AC A0 A23');
});

it('waits for the next keyframe after close()', () => {
  const gate = new KeyframeGate();
  expect(labelsOfAccepted(gate, [video(0, true), video(40)])).toBe('K0 V40');
  gate.close();
  expect(labelsOfAccepted(gate, [video(80), audio(90), videoConfig(), video(120, true), audio(130)])).toBe(
    'VC K120 A130',
  );
});
