import { type ConnectionProblem, problemOfStatus } from '@/lib/core/streams/go-live/publisher-state';
import {
  noFigures,
  type OutgoingFigures,
  readOutgoingFigures,
} from '@/lib/core/streams/go-live/outgoing-figures';
import {
  degradationPreferenceOf,
  encodingOf,
  encodingsOf,
  type Quality,
} from '@/lib/core/streams/go-live/quality';
import { endSession, readIceServers, sendOffer } from '@/lib/client/webrtc/signalling';
import { preferH264 } from './prefer-h264';

/** Timeout of an offer: the origin responds within fourteen seconds. */
const ANSWER_TIMEOUT_MS = 15_000;
/** Time that the server waits for the first datagram. */
const CONNECT_TIMEOUT_MS = 8_000;
/** Time for a connection to recover: browsers report `disconnected` after a few unanswered checks, often only briefly. */
const DISCONNECTED_TIMEOUT_MS = 3_000;
/** Bitrate of the stereo audio (Opus), in bit/s. */
const AUDIO_BITRATE = 128_000;

/** RIDs of the sizes, from the largest to the smallest (RFC 8851). */
const layerEncodings = [{ rid: 'h' }, { rid: 'm' }, { rid: 'l' }];

export interface WhipEndpoint {
  /** WHIP endpoint, without the stream key. */
  readonly url: string;
  readonly streamKey: string;
}

interface WhipConnectionOptions extends WhipEndpoint {
  readonly video: MediaStreamTrack | null;
  readonly audio: MediaStreamTrack;
  readonly quality: Quality;
  readonly onConnected: () => void;
  /** Called at most once, and not after `close`. */
  readonly onFailed: (problem: ConnectionProblem) => void;
}

/** A WHIP session, from the offer until the connection is lost or closed. */
export class WhipConnection {
  readonly #options: WhipConnectionOptions;
  readonly #closing = new AbortController();
  #peer: RTCPeerConnection | null = null;
  #videoSender: RTCRtpSender | null = null;
  #sessionUrl: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #quality: Quality;
  /** Factor by which the browser scales the video down. */
  #downscaleFactor = 1;
  #wasAnswered = false;
  #wasConnected = false;
  #figures: OutgoingFigures = noFigures;

  constructor(options: WhipConnectionOptions) {
    this.#options = options;
    this.#quality = options.quality;
  }

  start(): void {
    this.#connect().catch(() => this.#fail(this.#wasAnswered ? 'server_error' : 'unreachable'));
  }

  /**
   * Replaces the video track that is sent.
   * @param track null: no video
   */
  async replaceVideo(track: MediaStreamTrack | null): Promise<void> {
    await this.#videoSender?.replaceTrack(track);
    await this.configure(this.#quality);
  }

  /** Sets size, frame rate and bitrate of the encodings that are sent. */
  async configure(quality: Quality): Promise<void> {
    this.#quality = quality;
    const sender = this.#videoSender;
    if (!sender) return;
    const encodings = encodingsOf(quality, sender.track?.getSettings() ?? {});
    const parameters = sender.getParameters();
    if (parameters.encodings.length === 0) return;
    this.#downscaleFactor = encodings[0]?.scaleResolutionDownBy ?? 1;
    // The number of sizes stays for the whole connection.
    for (const [index, encoding] of parameters.encodings.entries()) Object.assign(encoding, encodings[index]);
    parameters.degradationPreference = degradationPreferenceOf(quality);
    await sender.setParameters(parameters);
  }

  /** Reads the figures since the previous call, and adapts the encoding if a shared window was resized. */
  async readFigures(): Promise<OutgoingFigures> {
    if (!this.#peer) return this.#figures;
    this.#figures = readOutgoingFigures(await this.#peer.getStats(), this.#figures);
    // A resized window needs another scale.
    const size = this.#videoSender?.track?.getSettings() ?? {};
    if (encodingOf(this.#quality, size).scaleResolutionDownBy !== this.#downscaleFactor)
      await this.configure(this.#quality);
    return this.#figures;
  }

  /** Closes the connection and ends the session at the server. May be called twice. */
  close(): void {
    const [peer, sessionUrl] = [this.#detachPeer(), this.#sessionUrl];
    this.#sessionUrl = null;
    if (sessionUrl === null) peer?.close();
    else {
      if (peer) stopSending(peer);
      // If the connection closed first, the server would count it as lost before it gets this request.
      void endSession(sessionUrl).finally(() => peer?.close());
    }
  }

  async #connect(): Promise<void> {
    const { url, streamKey: bearer } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
    const peer = this.#open(await readIceServers(url, signal));
    if (!peer) return;
    await peer.setLocalDescription();
    await this.configure(this.#quality);
    const { status, text, sessionUrl } = await sendOffer(url, {
      sdp: peer.localDescription?.sdp ?? '',
      bearer,
      signal,
    });
    this.#wasAnswered = true;
    this.#sessionUrl = sessionUrl;
    if (this.#closing.signal.aborted) this.close();
    else if (status === 201) await this.#accept(peer, text);
    else this.#fail(problemOfStatus(status));
  }

  async #accept(peer: RTCPeerConnection, answer: string): Promise<void> {
    this.#timer = setTimeout(() => this.#fail('no_media_path'), CONNECT_TIMEOUT_MS);
    await peer.setRemoteDescription({ type: 'answer', sdp: answer });
  }

  /**
   * Creates the peer connection. The offer has no ICE candidates, because the server learns the address of the client from
   * its packets.
   * @returns null if the session was closed meanwhile
   */
  #open(iceServers: RTCIceServer[]): RTCPeerConnection | null {
    if (this.#closing.signal.aborted) return null;
    const { video, audio } = this.#options;
    const peer = new RTCPeerConnection({ iceServers });
    this.#peer = peer;
    // Audio and video belong to one media stream, so that receivers play them in sync.
    const streams = [new MediaStream()];
    const sendEncodings = layerEncodings.slice(0, this.#quality.layerCount);
    const transceiver = peer.addTransceiver(video ?? 'video', {
      direction: 'sendonly',
      streams,
      sendEncodings: sendEncodings.length > 1 ? sendEncodings : [{}],
    });
    preferH264(transceiver);
    this.#videoSender = transceiver.sender;
    const audioEncodings = [{ maxBitrate: AUDIO_BITRATE }];
    peer.addTransceiver(audio, { direction: 'sendonly', streams, sendEncodings: audioEncodings });
    peer.addEventListener('connectionstatechange', () => this.#onState(peer.connectionState));
    return peer;
  }

  #onState(state: RTCPeerConnectionState): void {
    if (this.#closing.signal.aborted) return;
    if (state === 'connected') {
      clearTimeout(this.#timer);
      if (!this.#wasConnected) this.#options.onConnected();
      this.#wasConnected = true;
    } else if (state === 'disconnected') {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#fail('lost'), DISCONNECTED_TIMEOUT_MS);
    } else if (state === 'failed' || state === 'closed') this.#fail('lost');
  }

  /** Reports a failure. A session that has sent media is not ended, so that the next session can replace it. */
  #fail(problem: ConnectionProblem): void {
    if (this.#closing.signal.aborted) return;
    if (this.#wasConnected) this.#detachPeer()?.close();
    else this.close();
    this.#options.onFailed(problem);
  }

  /**
   * Detaches the peer connection; its later events are ignored.
   * @returns the peer connection, which the caller closes
   */
  #detachPeer(): RTCPeerConnection | null {
    const peer = this.#peer;
    this.#closing.abort();
    clearTimeout(this.#timer);
    this.#peer = null;
    this.#videoSender = null;
    return peer;
  }
}

/** Browsers send RTCP BYE when they stop sending, even while the page unloads. */
function stopSending(peer: RTCPeerConnection): void {
  for (const sender of peer.getSenders()) {
    const parameters = sender.getParameters();
    for (const encoding of parameters.encodings) encoding.active = false;
    void sender.setParameters(parameters).catch(() => undefined);
  }
}
