import { type AudioConfig, CodecDataError, parseAacConfig } from '@/media-worker/media/cmaf/codec-config';
import { detectAacRecord } from '@/media-worker/media/cmaf/detect-aac-config';
import type { AudioPacket } from './media-packet';
import type { PublishSink } from './publish';

/** How long a configuration without frames is held, ms of video time: after that, the audio begins with silence. */
const CONFIG_WAIT_MS = 500;

/**
 * A sink that corrects the audio configuration of a publish by its first frames, and forwards to `sink`. The
 * configuration is held together with the first frames until they show whether it is correct.
 */
export function correctAudioConfig(sink: PublishSink): PublishSink {
  /** The configuration that the first frames have not confirmed yet; null if there is none. */
  let unconfirmed: { readonly config: AudioConfig; readonly packet: AudioPacket } | null = null;
  let latestRecord: Buffer | null = null;
  let waitingPackets: AudioPacket[] = [];
  /** Video time, ms, at which the configuration began to wait. */
  let waitStartMs: number | null = null;

  const release = (): void => {
    const packets = waitingPackets;
    waitingPackets = [];
    for (const packet of packets) sink.push(packet);
  };
  const onConfig = (packet: AudioPacket): void => {
    // A repeated configuration keeps its correction.
    if (latestRecord?.equals(packet.payload)) return;
    release();
    latestRecord = packet.payload;
    const config = parseConfig(packet.payload);
    unconfirmed = config && { config, packet };
    waitStartMs = null;
    if (config) waitingPackets.push(packet);
    else sink.push(packet);
  };
  const onFrame = (packet: AudioPacket): void => {
    if (!unconfirmed) {
      sink.push(packet);
      return;
    }
    waitingPackets.push(packet);
    const frames = waitingPackets.filter(({ role }) => role === 'frame');
    const record = detectAacRecord(unconfirmed.config, frames);
    if (!record) return;
    if (!record.equals(unconfirmed.config.record))
      waitingPackets = [{ ...unconfirmed.packet, payload: record }, ...frames];
    unconfirmed = null;
    release();
  };
  const onVideoFrame = (ms: number): void => {
    waitStartMs ??= ms;
    const [first, ...laterPackets] = waitingPackets;
    const hasOnlyConfig = first?.role === 'config' && laterPackets.length === 0;
    if (hasOnlyConfig && ms - waitStartMs >= CONFIG_WAIT_MS) release();
  };
  return {
    ids: sink.ids,
    announce: (tracks) => sink.announce?.(tracks),
    push: (packet) => {
      if (packet.kind === 'audio' && packet.codec === 'aac') {
        if (packet.role === 'config') onConfig(packet);
        else onFrame(packet);
        return;
      }
      if (packet.kind === 'video' && packet.role === 'frame') onVideoFrame(packet.dts);
      sink.push(packet);
    },
    end: (reason) => {
      release();
      sink.end(reason);
    },
  };
}

function parseConfig(record: Buffer): AudioConfig | null {
  try {
    return parseAacConfig(record);
  } catch (error) {
    if (error instanceof CodecDataError) return null;
    throw error;
  }
}
