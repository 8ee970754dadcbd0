import {
  Audio,
  PeerConnection,
  type RTCPeerConnectionState,
  RtcpReceivingSession,
  type Track,
  Video,
} from 'node-datachannel';

/** Maximum time for finding the candidates of this machine. */
const GATHER_TIMEOUT_MS = 5_000;
const payloadTypes = { video: 109, audio: 111 } as const;

/** A WebRTC viewer that keeps the packets it receives. */
export class ViewerClient {
  readonly #connection: PeerConnection;
  readonly #tracks: Track[];
  /** RTP packets by kind, in the order of their arrival. */
  readonly received: Readonly<Record<'video' | 'audio', Buffer[]>> = { video: [], audio: [] };
  state: RTCPeerConnectionState = 'new';
  /** Number of RTP packets so far. */
  packetCount = 0;
  #isDiscarding = false;

  constructor(profile = '42e01f') {
    this.#connection = new PeerConnection('viewer', {
      iceServers: [],
      bindAddress: '127.0.0.1',
      disableAutoNegotiation: true,
    });
    this.#connection.onStateChange((state) => (this.state = state as RTCPeerConnectionState));
    const video = new Video('0', 'RecvOnly');
    const parameters = `level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=${profile}`;
    video.addH264Codec(payloadTypes.video, parameters);
    const audio = new Audio('1', 'RecvOnly');
    audio.addOpusCodec(payloadTypes.audio);
    this.#tracks = [this.#listen('video', this.#connection.addTrack(video))];
    this.#tracks.push(this.#listen('audio', this.#connection.addTrack(audio)));
  }

  /** Creates an offer with the candidates of the loopback interface. */
  async offer(): Promise<string> {
    const whenGathered = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no candidates')), GATHER_TIMEOUT_MS);
      this.#connection.onGatheringStateChange((state) => {
        if (state !== 'complete') return;
        clearTimeout(timer);
        resolve();
      });
    });
    this.#connection.setLocalDescription('offer');
    await whenGathered;
    return this.#connection.localDescription()?.sdp ?? '';
  }

  accept(answer: string): void {
    this.#connection.setRemoteDescription(answer, 'answer');
  }

  /** Stops keeping packets, for a viewer that stays for a long time. */
  discardPackets(): void {
    this.#isDiscarding = true;
    for (const packets of Object.values(this.received)) packets.length = 0;
  }

  /** Asks for a keyframe (RFC 4585 PLI). */
  requestKeyframe(): void {
    this.#tracks[0]?.requestKeyframe();
  }

  close(): void {
    this.#connection.close();
  }

  #listen(kind: 'video' | 'audio', track: Track): Track {
    track.setMediaHandler(new RtcpReceivingSession());
    track.onMessage((packet) => {
      const isMedia = ((packet[1] ?? 0) & 0x7f) === payloadTypes[kind];
      if (isMedia) this.packetCount += 1;
      if (isMedia && !this.#isDiscarding) this.received[kind].push(packet);
    });
    return track;
  }
}

/** NAL unit types in RTP packets of H.264. Fragments of one unit count once. */
export function nalTypesIn(packets: readonly Buffer[]): number[] {
  return packets.flatMap((packet) => {
    const payload = packet.subarray(12 + 4 * ((packet[0] ?? 0) & 0x0f));
    const type = (payload[0] ?? 0) & 0x1f;
    if (type !== 28) return [type];
    return ((payload[1] ?? 0) & 0x80) === 0 ? [] : [(payload[1] ?? 0) & 0x1f];
  });
}
