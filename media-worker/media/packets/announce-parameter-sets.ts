import { codingOf, isPackaged, type VideoCodingName } from '@/media-worker/media/cmaf/codec-config';
import { parseOrNull } from '@/media-worker/media/cmaf/parse-or-null';
import type { MediaPacket, VideoPacket } from './media-packet';
import type { PublishSink } from './publish';

/** The decoder configuration record that was emitted last, with which frames are decoded. */
interface EmittedConfig {
  readonly codec: VideoCodingName;
  readonly record: Buffer;
}

/**
 * A sink that adds a configuration before each keyframe whose parameter sets have changed, and forwards to `sink`:
 * some encoders change the video without a new configuration, or send none. Repeated parameter sets are not a
 * change. A changed configuration is held until its first keyframe, because frames before it need the old one.
 */
export function emitChangedConfigs(sink: PublishSink): PublishSink {
  let currentConfig: EmittedConfig | null = null;
  /** The encoder's last record: many encoders repeat it, even after keyframes have replaced its parameter sets. */
  let encoderRecord: Buffer | null = null;
  /** A changed configuration whose first keyframe has not arrived. */
  let nextConfig: VideoPacket | null = null;

  const onConfig = (packet: VideoPacket, codec: VideoCodingName): void => {
    if (encoderRecord?.equals(packet.payload) && currentConfig?.codec === codec) return;
    encoderRecord = packet.payload;
    const isReadable = parseOrNull(() => codingOf(codec).parse(packet.payload)) !== null;
    if (!isReadable) sink.push(packet);
    else if (currentConfig) nextConfig = packet;
    else applyConfig(packet, codec);
  };
  const applyConfig = (packet: VideoPacket, codec: VideoCodingName): void => {
    nextConfig = null;
    currentConfig = { codec, record: packet.payload };
    sink.push(packet);
  };
  const emitConfigOfKeyframe = ({ dts, payload: frame }: VideoPacket, codec: VideoCodingName): void => {
    const recordBefore = currentConfig?.codec === codec ? currentConfig.record : null;
    const payload = codingOf(codec).changedRecordFor(frame, recordBefore);
    if (!payload) return;
    currentConfig = { codec, record: payload };
    sink.push({ kind: 'video', codec, role: 'config', key: false, dts, pts: dts, payload });
  };
  return {
    ids: sink.ids,
    announce: (tracks) => sink.announce?.(tracks),
    push: (packet: MediaPacket) => {
      if (packet.kind !== 'video' || !isPackaged(packet.codec)) sink.push(packet);
      else if (packet.role === 'config') onConfig(packet, packet.codec);
      else {
        const { key, codec, dts } = packet;
        if (key && nextConfig?.codec === codec) applyConfig({ ...nextConfig, dts, pts: dts }, codec);
        if (key) emitConfigOfKeyframe(packet, codec);
        sink.push(packet);
      }
    },
    end: (reason) => sink.end(reason),
  };
}
