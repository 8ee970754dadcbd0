import { execFileSync } from 'node:child_process';
import { once, EventEmitter } from 'node:events';
import {
  Audio,
  H264RtpPacketizer,
  PeerConnection,
  RtcpNackResponder,
  RtcpSrReporter,
  RtpPacketizationConfig,
  type Track,
  Video,
} from 'node-datachannel';
import { parseFeedback } from '@/media-worker/rtc/viewers/rtcp';

const FPS = 30;
const SSRC = 4_242;
const PAYLOAD_TYPE = 102;
/** Opus audio whose frames all decode to silence. */
const silentAudio = { ssrc: 4_243, payloadType: 111, frameMs: 20, silence: Buffer.from([0xfc, 0xff, 0xfe]) };

/** Encodes H.264 frames without reordering, each as an Annex B byte stream. The first frame is a keyframe. */
export function encodeFrames(seconds: number, bitrate = '2M'): Buffer[] {
  const clip = execFileSync(
    'ffmpeg',
    [
      ...['-hide_banner', '-loglevel', 'error', '-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=${FPS}`],
      ...['-t', String(seconds), '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'baseline'],
      ...['-b:v', bitrate, '-g', '60', '-keyint_min', '60', '-sc_threshold', '0', '-pix_fmt', 'yuv420p'],
      ...['-bsf:v', 'h264_metadata=aud=insert', '-f', 'h264', 'pipe:1'],
    ],
    { maxBuffer: 2 ** 28 },
  );
  // Each frame begins with an access unit delimiter (NAL unit type 9).
  const delimiter = Buffer.from([0, 0, 0, 1, 9]);
  const starts: number[] = [];
  for (let offset = clip.indexOf(delimiter); offset !== -1; offset = clip.indexOf(delimiter, offset + 1))
    starts.push(offset);
  return starts.map((start, index) => clip.subarray(start, starts[index + 1]));
}

interface NativeOptions {
  readonly hasAudio?: boolean;
  /** Whether the offer declares SSRCs. Browsers declare none in an offer with several RID encodings. */
  readonly declaresSsrcs?: boolean;
}

/** An encoder that uses libdatachannel, like OBS. */
export class NativePublisher {
  readonly #events = new EventEmitter();
  readonly #connection = new PeerConnection('publisher', { iceServers: [], disableAutoNegotiation: true });
  readonly #track: Track;
  readonly #config = new RtpPacketizationConfig(SSRC, 'publisher', PAYLOAD_TYPE, 90_000);
  readonly #audio: Track | null;
  #timer: NodeJS.Timeout | undefined;
  #sentCount = 0;
  #sentAudioCount = 0;
  /** Number of frames that were sent when the loop last began with its first frame. */
  #loopStartCount = 0;

  constructor({ hasAudio = false, declaresSsrcs = true }: NativeOptions = {}) {
    const video = new Video('0', 'SendOnly');
    video.addH264Codec(PAYLOAD_TYPE);
    if (declaresSsrcs) video.addSSRC(SSRC, 'publisher', 'stream', 'video');
    this.#track = this.#connection.addTrack(video);
    const packetizer = new H264RtpPacketizer('StartSequence', this.#config, 1_200);
    packetizer.addToChain(new RtcpSrReporter(this.#config));
    packetizer.addToChain(new RtcpNackResponder());
    this.#track.setMediaHandler(packetizer);
    this.#track.onMessage((packet) => {
      // The loop begins again, because its first frame is a keyframe.
      if (parseFeedback(packet).needsKeyframe) this.#loopStartCount = this.#sentCount;
    });
    this.#audio = hasAudio ? this.#addAudio(declaresSsrcs) : null;
    this.#connection.onStateChange((state) => this.#events.emit(state));
  }

  #addAudio(declaresSsrcs: boolean): Track {
    const audio = new Audio('1', 'SendOnly');
    audio.addOpusCodec(silentAudio.payloadType);
    if (declaresSsrcs) audio.addSSRC(silentAudio.ssrc, 'publisher', 'stream', 'audio');
    return this.#connection.addTrack(audio);
  }

  get sentCount(): number {
    return this.#sentCount;
  }

  async offer(): Promise<string> {
    const whenGathered = new Promise<void>((resolve) =>
      this.#connection.onGatheringStateChange((state) => {
        if (state === 'complete') resolve();
      }),
    );
    this.#connection.setLocalDescription('offer');
    await whenGathered;
    return this.#connection.localDescription()?.sdp ?? '';
  }

  /**
   * Publishes to a WHIP endpoint.
   * @returns the URL of the session
   * @throws Error with the status of a rejection
   */
  async publish(url: string): Promise<string> {
    const body = await this.offer();
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/sdp' },
      body,
    });
    if (response.status !== 201) throw new Error(`status ${response.status}`);
    const whenConnected = once(this.#events, 'connected', { signal: AbortSignal.timeout(60_000) });
    this.#connection.setRemoteDescription(await response.text(), 'answer');
    await whenConnected;
    return new URL(response.headers.get('Location') ?? '', url).href;
  }

  /** Sends these frames in a loop in real time. */
  startSending(frames: readonly Buffer[]): void {
    const startedAtMs = performance.now();
    this.#timer = setInterval(() => {
      const dueCount = Math.floor(((performance.now() - startedAtMs) * FPS) / 1_000);
      for (; this.#sentCount <= dueCount; this.#sentCount += 1) {
        this.#config.timestamp = (this.#sentCount * 90_000) / FPS;
        if (this.#track.isOpen())
          this.#track.sendMessageBinary(
            frames[(this.#sentCount - this.#loopStartCount) % frames.length] ?? Buffer.alloc(0),
          );
      }
      this.#sendAudio(performance.now() - startedAtMs);
    }, 10);
  }

  #sendAudio(elapsedMs: number): void {
    for (; this.#sentAudioCount * silentAudio.frameMs <= elapsedMs; this.#sentAudioCount += 1) {
      if (!this.#audio?.isOpen()) continue;
      // RTP version 2. Timestamps of Opus count samples at 48 kHz.
      const header = Buffer.alloc(12);
      header.writeUInt8(0x80);
      header.writeUInt8(silentAudio.payloadType, 1);
      header.writeUInt16BE(this.#sentAudioCount % 2 ** 16, 2);
      header.writeUInt32BE(this.#sentAudioCount * 48 * silentAudio.frameMs, 4);
      header.writeUInt32BE(silentAudio.ssrc, 8);
      this.#audio.sendMessageBinary(Buffer.concat([header, silentAudio.silence]));
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#connection.close();
  }
}
