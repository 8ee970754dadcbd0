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
import { readFeedback } from '@/media-worker/rtc/viewers/rtcp';

const FPS = 30;
const SSRC = 4_242;
const PAYLOAD_TYPE = 102;
const sound = { ssrc: 4_243, payloadType: 111, frameMs: 20, silence: Buffer.from([0xfc, 0xff, 0xfe]) };

/** H.264 frames of an encoder without reordering, each as an Annex B byte stream. The first frame is a keyframe. */
export function encodedPictures(seconds: number, bitrate = '2M'): Buffer[] {
  const film = execFileSync(
    'ffmpeg',
    [
      ...['-hide_banner', '-loglevel', 'error', '-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=${FPS}`],
      ...['-t', String(seconds), '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'baseline'],
      ...['-b:v', bitrate, '-g', '60', '-keyint_min', '60', '-sc_threshold', '0', '-pix_fmt', 'yuv420p'],
      ...['-bsf:v', 'h264_metadata=aud=insert', '-f', 'h264', 'pipe:1'],
    ],
    { maxBuffer: 2 ** 28 },
  );
  const delimiter = Buffer.from([0, 0, 0, 1, 9]);
  const starts: number[] = [];
  for (let at = film.indexOf(delimiter); at !== -1; at = film.indexOf(delimiter, at + 1)) starts.push(at);
  return starts.map((start, index) => film.subarray(start, starts[index + 1]));
}

interface NativeOptions {
  readonly hasSound?: boolean;
  /** Whether the offer declares SSRCs. Browsers do not with simulcast. */
  readonly declaresSsrcs?: boolean;
}

/** An encoder that uses libdatachannel, like OBS. */
export class NativePublisher {
  readonly #events = new EventEmitter();
  readonly #connection = new PeerConnection('publisher', { iceServers: [], disableAutoNegotiation: true });
  readonly #track: Track;
  readonly #config = new RtpPacketizationConfig(SSRC, 'publisher', PAYLOAD_TYPE, 90_000);
  readonly #sound: Track | null;
  #timer: NodeJS.Timeout | undefined;
  #sent = 0;
  #soundSent = 0;
  /** The picture that is sent as the first one. */
  #from = 0;

  constructor({ hasSound = false, declaresSsrcs = true }: NativeOptions = {}) {
    const video = new Video('0', 'SendOnly');
    video.addH264Codec(PAYLOAD_TYPE);
    if (declaresSsrcs) video.addSSRC(SSRC, 'publisher', 'stream', 'picture');
    this.#track = this.#connection.addTrack(video);
    const packetizer = new H264RtpPacketizer('StartSequence', this.#config, 1_200);
    packetizer.addToChain(new RtcpSrReporter(this.#config));
    packetizer.addToChain(new RtcpNackResponder());
    this.#track.setMediaHandler(packetizer);
    this.#track.onMessage((packet) => {
      // The first picture is a keyframe.
      if (readFeedback(packet).needsKeyframe) this.#from = this.#sent;
    });
    this.#sound = hasSound ? this.#addSound(declaresSsrcs) : null;
    this.#connection.onStateChange((state) => this.#events.emit(state));
  }

  #addSound(declaresSsrcs: boolean): Track {
    const audio = new Audio('1', 'SendOnly');
    audio.addOpusCodec(sound.payloadType);
    if (declaresSsrcs) audio.addSSRC(sound.ssrc, 'publisher', 'stream', 'sound');
    return this.#connection.addTrack(audio);
  }

  get sent(): number {
    return this.#sent;
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

  /** Publishes to a WHIP endpoint. @returns the address of the session @throws Error with the status of a refusal */
  async connect(url: string): Promise<string> {
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
  send(pictures: readonly Buffer[]): void {
    const startedAt = performance.now();
    this.#timer = setInterval(() => {
      const dueCount = Math.floor(((performance.now() - startedAt) * FPS) / 1_000);
      for (; this.#sent <= dueCount; this.#sent += 1) {
        this.#config.timestamp = (this.#sent * 90_000) / FPS;
        if (this.#track.isOpen())
          this.#track.sendMessageBinary(
            pictures[(this.#sent - this.#from) % pictures.length] ?? Buffer.alloc(0),
          );
      }
      this.#sendSound(performance.now() - startedAt);
    }, 10);
  }

  #sendSound(passedMs: number): void {
    for (; this.#soundSent * sound.frameMs <= passedMs; this.#soundSent += 1) {
      if (!this.#sound?.isOpen()) continue;
      const head = Buffer.alloc(12);
      head.writeUInt8(0x80);
      head.writeUInt8(sound.payloadType, 1);
      head.writeUInt16BE(this.#soundSent % 2 ** 16, 2);
      head.writeUInt32BE(this.#soundSent * 48 * sound.frameMs, 4);
      head.writeUInt32BE(sound.ssrc, 8);
      this.#sound.sendMessageBinary(Buffer.concat([head, sound.silence]));
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#connection.close();
  }
}
