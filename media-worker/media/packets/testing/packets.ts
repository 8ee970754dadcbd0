import type { AudioPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';

const bytes = (size: number, fill: number): Buffer => Buffer.alloc(size, fill);

/** Packets without real media, for tests of buses and queues. */
export const videoConfig = (fill = 1): VideoPacket => ({
  kind: 'video',
  codec: 'avc',
  role: 'config',
  key: false,
  dts: 0,
  pts: 0,
  payload: bytes(10, fill),
});

export const audioConfig = (fill = 1): AudioPacket => ({
  kind: 'audio',
  codec: 'aac',
  role: 'config',
  dts: 0,
  pts: 0,
  payload: bytes(2, fill),
});

export const video = (dts: number, key = false, size = 100): VideoPacket => ({
  kind: 'video',
  codec: 'avc',
  role: 'frame',
  key,
  dts,
  pts: dts,
  payload: bytes(size, 0),
});

export const audio = (dts: number, size = 10): AudioPacket => ({
  kind: 'audio',
  codec: 'aac',
  role: 'frame',
  dts,
  pts: dts,
  payload: bytes(size, 0),
});

/** Kind and time of a packet: `VC`, `AC`, `K40`, `V80`, `A23`. */
export const label = (packet: VideoPacket | AudioPacket): string => {
  if (packet.role === 'config') return packet.kind === 'video' ? 'VC' : 'AC';
  if (packet.kind === 'audio') return `A${packet.dts}`;
  return `${packet.key ? 'K' : 'V'}${packet.dts}`;
};
